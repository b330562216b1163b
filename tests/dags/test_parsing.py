"""Airflow reads the DAG file again and again: it stays cheap, and brings in no client, no Spark and no suite."""

import json
import os
import subprocess
import sys
from pathlib import Path

DAG_FILE = Path(__file__).parents[2] / "dags" / "varve.py"
HEAVY = ["delta", "great_expectations", "kafka", "kazoo", "pandas", "pyarrow", "pyspark"]
BUDGET_S = 1.0
"""What the DAG file may cost above Airflow itself, on a busy laptop; measured 0.06 s."""

PARSE = """
import json, runpy, sys, time
import airflow.sdk, airflow.providers.standard.operators.bash, airflow.providers.standard.operators.latest_only
started = time.perf_counter()
names = runpy.run_path(sys.argv[1])
print(json.dumps({
    "seconds": time.perf_counter() - started,
    "modules": sorted({name.partition(".")[0] for name in sys.modules}),
    "dags": sorted({dag.dag_id for dag in names.values() if isinstance(dag, airflow.sdk.DAG)}),
}))
"""


def test_the_dag_file_is_cheap_and_imports_nothing_heavy(tmp_path: Path) -> None:
    config = tmp_path / "varve.yaml"
    config.write_text(
        """\
lake: ./lake
clusters:
  - name: orders
    zookeeper: {connect: "zk1:2181"}
    kafka: {bootstrap_servers: "b1:9092"}
    log_dirs: [{broker: 1, local: [/var/kafka/d0]}]
"""
    )
    env = os.environ | {"VARVE_CONFIG": str(config)}
    done = subprocess.run(
        [sys.executable, "-c", PARSE, DAG_FILE],
        env=env,
        capture_output=True,
        text=True,
        check=True,
        timeout=120,
    )
    parsed = json.loads(done.stdout.splitlines()[-1])
    assert parsed["dags"] == ["varve.maintain", "varve_orders"]
    assert sorted(set(HEAVY) & set(parsed["modules"])) == [], "import it inside the function that needs it"
    assert parsed["seconds"] < BUDGET_S

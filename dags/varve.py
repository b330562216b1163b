"""The Airflow DAGs of Varve: one per cluster in `varve.yaml`, and the upkeep; docs/airflow.md is the operator's page."""

from dags.factory import cluster_dag, maintain_dag
from jobs.errors import SettingsError
from jobs.settings import load_settings, settings_path

config = settings_path().absolute()
try:
    clusters = load_settings(config).clusters
except SettingsError as error:
    raise SettingsError(str(error)) from None  # what Airflow shows is then this message alone

for cluster in clusters:
    dag = cluster_dag(cluster, config)
    globals()[dag.dag_id] = dag
upkeep = maintain_dag(clusters, config)

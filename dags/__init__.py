"""When Varve works: one Airflow DAG per cluster."""

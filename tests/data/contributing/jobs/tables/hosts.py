"""The machines of the brokers."""

from pyspark.sql import DataFrame
from pyspark.sql import functions as F


def from_inventory(inventory: DataFrame) -> DataFrame:
    """One row a broker; the inventory does not know rooms."""
    return inventory.select(F.col("broker").cast("int").alias("broker_id"), F.lower("host").alias("host"))

LOOKED_FOR = "brokers' log dirs"


def recognise(path: str, head: bytes) -> bool:
    return path.rpartition("/")[2] == "meta.properties"

"""A way to a server that can be cut: for whoever goes it, the server is away."""

import socket
from contextlib import suppress
from threading import Thread
from urllib.parse import urlsplit

from jobs.lab.ports import HOST, free_port


class Way:
    """Passes what comes to `endpoint` on to a server, and back, as long as it is not cut."""

    def __init__(self, endpoint: str) -> None:
        server = urlsplit(endpoint)
        self._server = (server.hostname, server.port)
        self._port = free_port()
        self.endpoint = f"{server.scheme}://{HOST}:{self._port}"
        self._open: list[socket.socket] = []
        self.mend()

    def mend(self) -> None:
        self._listener = socket.create_server((HOST, self._port))
        Thread(target=self._listen, args=(self._listener,), daemon=True).start()

    def cut(self) -> None:
        """Nobody answers from now on, and who waits for an answer gets none."""
        for each in (self._listener, *self._open):
            with suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)
            each.close()
        self._open.clear()

    def _listen(self, listener: socket.socket) -> None:
        with suppress(OSError):
            while True:
                client, _ = listener.accept()
                server = socket.create_connection(self._server)
                self._open += [client, server]
                for pair in ((client, server), (server, client)):
                    Thread(target=_pass_on, args=pair, daemon=True).start()


def _pass_on(sender: socket.socket, receiver: socket.socket) -> None:
    with suppress(OSError):
        while content := sender.recv(65536):
            receiver.sendall(content)
    for each in (sender, receiver):
        with suppress(OSError):
            each.shutdown(socket.SHUT_RDWR)

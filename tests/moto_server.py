"""moto's server with writes one after another: `python -m tests.moto_server PORT`.

moto looks whether a key exists and stores the object later, so that two clients that each write a key only where there is
none could both be told that they won. S3 promises that one of them wins.
"""

import sys
from collections.abc import Iterable
from io import BytesIO
from threading import Lock
from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

from moto.moto_server.werkzeug_app import DomainDispatcherApplication, MotoRequestHandler, create_backend_app
from werkzeug.serving import run_simple
from werkzeug.wsgi import get_input_stream

from jobs.lab.ports import HOST


class WritesOneAfterAnother:
    """The application of a server, which hands it one writing request at a time; what only reads does not wait."""

    def __init__(self, application: WSGIApplication) -> None:
        self._application = application
        self._writing = Lock()

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        if environ["REQUEST_METHOD"] in ("GET", "HEAD"):
            return self._application(environ, start_response)
        # The body comes first: a client that stops in the middle of it holds nobody up.
        environ["wsgi.input"] = BytesIO(get_input_stream(environ).read())
        with self._writing:
            return self._application(environ, start_response)


if __name__ == "__main__":
    moto = WritesOneAfterAnother(DomainDispatcherApplication(create_backend_app))
    run_simple(HOST, int(sys.argv[1]), moto, threaded=True, request_handler=MotoRequestHandler)

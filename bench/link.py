"""A link to a server of this machine that takes as long as one across a room.

Every piece of up to 64 kB waits on its way, in each direction, so that an answer comes a given time
after its question. The kernel's own way to do that (tc netem) is not everywhere.
"""

import socket
import statistics
import threading
import time

PIECE_BYTES = 64 << 10


class Link:
    """Listens on a free port of the loopback interface and passes all on to a server.

    The wait is tuned until the median round trip through the link is what was asked for, the
    system's own timers and threads included: `round_trip_ms` says what came of it. With
    `bytes_per_s` no more than that passes in a second, in each direction.
    """

    def __init__(self, host, port, round_trip_ms, bytes_per_s=None):
        self.bytes_per_s = bytes_per_s
        self.wait_s = round_trip_ms / 2000
        echo = self._listen()
        threading.Thread(target=self._echo, args=(echo,), daemon=True).start()
        self.server = echo.getsockname()
        self.listener = self._listen()
        self.port = self.listener.getsockname()[1]
        threading.Thread(target=self._accept, daemon=True).start()
        for _ in range(8):
            self.round_trip_ms = self._measure()
            self.wait_s = max(0.0, self.wait_s + (round_trip_ms - self.round_trip_ms) / 2000)
        self.round_trip_ms = self._measure()
        echo.close()
        self.server = (host, port)

    @staticmethod
    def _listen():
        listener = socket.create_server(("127.0.0.1", 0))
        return listener

    @staticmethod
    def _echo(listener):
        while True:
            try:
                connection, _ = listener.accept()
            except OSError:
                return
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            while piece := connection.recv(PIECE_BYTES):
                connection.sendall(piece)

    def _measure(self):
        with socket.create_connection(("127.0.0.1", self.port)) as asking:
            asking.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            took = []
            for _ in range(200):
                begun = time.perf_counter()
                asking.sendall(b"x")
                asking.recv(1)
                took.append(1000 * (time.perf_counter() - begun))
            return statistics.median(took)

    def _accept(self):
        while True:
            try:
                client, _ = self.listener.accept()
                server = socket.create_connection(self.server)
            except OSError:
                return
            for side in (client, server):
                side.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            for source, target in ((client, server), (server, client)):
                threading.Thread(target=self._pass, args=(source, target), daemon=True).start()

    def _pass(self, source, target):
        try:
            while piece := source.recv(PIECE_BYTES):
                time.sleep(self.wait_s + (len(piece) / self.bytes_per_s if self.bytes_per_s else 0))
                target.sendall(piece)
        except OSError:
            pass  # One end has gone; so does the other, below.
        for side in (source, target):
            try:
                side.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass  # It has been shut down from the other end.

    def close(self):
        self.listener.close()

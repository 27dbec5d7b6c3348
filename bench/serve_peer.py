"""A scikit-learn PCA (784 columns, 50 components) behind Python's own threaded server, for
INLIER_PEER=python3 INLIER_CONFORMANCE=all go test -C trials ./of/server -run ManyClients -v
"""
import json
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import numpy as np
from sklearn.decomposition import PCA

model = PCA(50).fit(np.random.default_rng(1).normal(size=(1500, 784)))


class Answer(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    wbufsize = 1 << 16  # headers and body leave together
    disable_nagle_algorithm = True

    def do_POST(self):
        rows = json.loads(self.rfile.read(int(self.headers["Content-Length"])))["rows"]
        text = json.dumps({"rows": model.transform(np.array(rows)).tolist()}).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)
        self.wfile.flush()

    def log_message(self, *_):
        pass


class Server(ThreadingHTTPServer):
    request_queue_size = 512


Server(("127.0.0.1", int(sys.argv[1]) if len(sys.argv) > 1 else 8900), Answer).serve_forever()

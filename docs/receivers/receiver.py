# Save as receiver.py; run with: python3 receiver.py
import base64
import contextlib
import hashlib
import hmac
import json
import os
import re
import sqlite3
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

SECRET = os.environ["WEBHOOK_SECRET"]
if not SECRET.startswith("whsec_"):
    raise SystemExit("WEBHOOK_SECRET is not set")
STANDARD_KEY = base64.b64decode(SECRET[len("whsec_"):])
TOLERANCE_SECONDS = 5 * 60
BODY_BYTES_MAX = 4 * 1024 * 1024
DATABASE = "receiver.db"


def is_genuine(headers, body):
    def header(name):
        return headers.get(name, "")

    service = "sha256=" + hmac.new(SECRET.encode(), body, hashlib.sha256).hexdigest()
    service_sent = [header("X-service-Signature"), header("X-service-Signature-Previous")]

    timestamp = header("webhook-timestamp")
    signed = f"{header('webhook-id')}.{timestamp}.".encode() + body
    mac = hmac.new(STANDARD_KEY, signed, hashlib.sha256).digest()
    standard = "v1," + base64.b64encode(mac).decode()
    standard_sent = header("webhook-signature").split(" ")

    if not re.fullmatch("[0-9]{1,12}", timestamp):
        return False
    return (
        any(hmac.compare_digest(sent.encode(), service.encode()) for sent in service_sent)
        and any(hmac.compare_digest(sent.encode(), standard.encode()) for sent in standard_sent)
        and abs(time.time() - int(timestamp)) <= TOLERANCE_SECONDS
    )


def handle_once(event):
    with contextlib.closing(sqlite3.connect(DATABASE)) as db, db:  # Commits, or rolls back.
        insert = "insert into webhook_deliveries (id) values (?) on conflict (id) do nothing"
        if db.execute(insert, (event["id"],)).rowcount == 1:
            handle(event)


def handle(event):
    """Short work on the same database, or the insert of a job for a worker."""
    print("handled", event["id"], event["type"], flush=True)


class Receiver(BaseHTTPRequestHandler):
    timeout = 10

    def do_POST(self):
        length = int(self.headers.get("Content-Length", "0"))
        if not 0 <= length <= BODY_BYTES_MAX:
            self.answer(413)
            return
        body = self.rfile.read(length)
        if not is_genuine(self.headers, body):
            self.answer(401)
            return
        try:
            handle_once(json.loads(body))
            self.answer(204)
        except Exception as error:
            self.log_error("%r", error)
            self.answer(500)

    def answer(self, status):
        self.send_response(status)
        self.send_header("Content-Length", "0")
        self.end_headers()


with contextlib.closing(sqlite3.connect(DATABASE)) as db, db:
    db.execute("create table if not exists webhook_deliveries (id text primary key)")
ThreadingHTTPServer(("127.0.0.1", int(os.environ.get("PORT", "8000"))), Receiver).serve_forever()

// Save as node.mts; run with: node node.mts
import { createHmac, timingSafeEqual } from "node:crypto";
import { createServer, type IncomingHttpHeaders, type IncomingMessage } from "node:http";
import { DatabaseSync } from "node:sqlite";

const { WEBHOOK_SECRET: secret = "", PORT: port = "8000" } = process.env;
if (!secret.startsWith("whsec_")) throw new Error("WEBHOOK_SECRET is not set");
const TOLERANCE_SECONDS = 5 * 60;
const BODY_BYTES_MAX = 4 * 1024 * 1024;

const db = new DatabaseSync("receiver.db");
db.exec("create table if not exists webhook_deliveries (id text primary key)");

const server = createServer((req, res) => {
  receive(req).then(
    (status) => res.writeHead(status).end(),
    (error) => {
      console.error(error);
      // A part of the body may be left unread.
      res.writeHead(500, { connection: "close" }).end();
    },
  );
});
server.listen(Number(port), "127.0.0.1");

async function receive(req: IncomingMessage): Promise<number> {
  const body = await rawBody(req);
  if (!isGenuine(req.headers, body)) return 401;
  handleOnce(JSON.parse(body.toString("utf8")));
  return 204;
}

async function rawBody(req: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of req) {
    bytes += chunk.length;
    if (bytes > BODY_BYTES_MAX) throw new Error("the body is too large");
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function isGenuine(headers: IncomingHttpHeaders, body: Buffer): boolean {
  const header = (name: string) => String(headers[name] ?? "");

  const service = `sha256=${createHmac("sha256", secret).update(body).digest("hex")}`;
  const serviceSent = [header("x-service-signature"), header("x-service-signature-previous")];

  const timestamp = header("webhook-timestamp");
  const key = Buffer.from(secret.slice("whsec_".length), "base64");
  const mac = createHmac("sha256", key)
    .update(`${header("webhook-id")}.${timestamp}.`)
    .update(body);
  const standard = `v1,${mac.digest("base64")}`;
  const standardSent = header("webhook-signature").split(" ");

  return (
    serviceSent.some((sent) => isEqual(sent, service)) &&
    standardSent.some((sent) => isEqual(sent, standard)) &&
    Math.abs(Date.now() / 1000 - Number(timestamp)) <= TOLERANCE_SECONDS
  );
}

function isEqual(left: string, right: string): boolean {
  const [a, b] = [Buffer.from(left), Buffer.from(right)];
  return a.length === b.length && timingSafeEqual(a, b);
}

function handleOnce(event: { id: string; type: string }): void {
  db.exec("begin immediate");
  try {
    const insert = db.prepare("insert into webhook_deliveries (id) values (?) on conflict (id) do nothing");
    if (insert.run(event.id).changes === 1) handle(event);
    db.exec("commit");
  } catch (error) {
    db.exec("rollback");
    throw error;
  }
}

// Short work on the same database, or the insert of a job for a worker.
function handle(event: { id: string; type: string }): void {
  console.log(`handled ${event.id} ${event.type}`);
}

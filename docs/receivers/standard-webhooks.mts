// Save as standard-webhooks.mts; run with: node standard-webhooks.mts
import { createServer, type IncomingMessage } from "node:http";
import { DatabaseSync } from "node:sqlite";
import { Webhook } from "standardwebhooks";

const { WEBHOOK_SECRET: secret = "", PORT: port = "8000" } = process.env;
const webhook = new Webhook(secret); // Throws if the secret is empty.
const BODY_BYTES_MAX = 4 * 1024 * 1024;

const db = new DatabaseSync("receiver.db");
db.exec("create table if not exists webhook_inbox (id text primary key, event text not null)");
const insert = db.prepare("insert into webhook_inbox (id, event) values (?, ?) on conflict (id) do nothing");

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
  try {
    webhook.verify(body, req.headers as Record<string, string>);
  } catch {
    return 401;
  }
  const text = body.toString("utf8");
  const event: { id: string; type: string } = JSON.parse(text);
  const isNew = insert.run(event.id, text).changes === 1;
  if (isNew) console.log(`handled ${event.id} ${event.type}`);
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

// Save as express.mts; run with: node express.mts
import { createHmac, timingSafeEqual } from "node:crypto";
import { DatabaseSync } from "node:sqlite";
import express, { type Request } from "express";

const { WEBHOOK_SECRET: secret = "", PORT: port = "8000" } = process.env;
if (!secret.startsWith("whsec_")) throw new Error("WEBHOOK_SECRET is not set");
const TOLERANCE_SECONDS = 5 * 60;

const db = new DatabaseSync("receiver.db");
db.exec("create table if not exists webhook_inbox (id text primary key, event text not null)");
const insert = db.prepare("insert into webhook_inbox (id, event) values (?, ?) on conflict (id) do nothing");

const app = express();

// Before any app.use(express.json()).
app.post("/hooks", express.raw({ type: "application/json", limit: "4mb" }), (req, res) => {
  const body: unknown = req.body;
  if (!Buffer.isBuffer(body) || !isGenuine(req, body)) {
    res.sendStatus(401);
    return;
  }
  const text = body.toString("utf8");
  const event: { id: string; type: string } = JSON.parse(text);
  // One statement is a transaction by itself.
  const isNew = insert.run(event.id, text).changes === 1;
  if (isNew) console.log(`handled ${event.id} ${event.type}`);
  res.sendStatus(204);
});

app.listen(Number(port), "127.0.0.1");

function isGenuine(req: Request, body: Buffer): boolean {
  const header = (name: string) => req.get(name) ?? "";

  const service = `sha256=${createHmac("sha256", secret).update(body).digest("hex")}`;
  const serviceSent = [header("X-service-Signature"), header("X-service-Signature-Previous")];

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

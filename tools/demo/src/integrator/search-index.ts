// A search index of the live entries: filled once from the list of live entries, then kept up to date by webhooks.
//
// Webhooks are repeated and may arrive in any order. A delivery whose id was handled before is ignored, and an entry changes
// only if its `version` grows; an entry that went offline stays in the index as a mark with its version, so that an older
// event cannot bring it back.
import type { IncomingMessage } from "node:http";
import https from "node:https";
import type { AddressInfo } from "node:net";
import { DatabaseSync } from "node:sqlite";
import type { BodyOf, ReceivedRow, Tradepost } from "@tradepost/client";
import { verifyWebhook, type WebhookEvent } from "@tradepost/client/webhooks";

export interface SearchIndex {
  /** The URL that receives the webhooks. */
  readonly url: string;
  /** Sets the secret that signs webhooks. Until then they are refused, and the platform sends them again. */
  trust(signingSecret: string): void;
  /** Reads all live entries. The subscription must exist already, so that no change in between is missed. */
  backfill(client: Tradepost): Promise<void>;
  /** The live entries. */
  documents(): Document[];
  /** The webhooks that it has accepted, for a comparison with the platform's ledger. */
  received(): ReceivedRow[];
  close(): Promise<void>;
}

interface Document {
  readonly id: string;
  readonly slug: string;
  readonly title: string;
}

interface Entry {
  readonly id: string;
  readonly slug: string;
  readonly version: number;
  readonly data: { readonly title?: unknown };
}

/** The events that change which entries are live. */
export const EVENTS: BodyOf<"createSubscription">["events"] = [
  "content.entry.published",
  "content.entry.unpublished",
  "content.entry.deleted",
];

const BODY_BYTES_MAX = 4 * 1024 * 1024;

export async function openSearchIndex(
  file: string,
  tls: { certificate: string; key: string },
): Promise<SearchIndex> {
  const documents = openDocuments(file);
  let secret: string | undefined;

  async function receive(req: IncomingMessage): Promise<number> {
    const body = await rawBody(req);
    if (secret === undefined) return 401;
    const event = await verifyWebhook(secret, req.headers, body).catch(() => undefined);
    if (event === undefined) return 401;
    documents.handleOnce(event, String(req.headers["x-service-event-time"]));
    return 204;
  }

  const server = https.createServer({ cert: tls.certificate, key: tls.key }, (req, res) => {
    receive(req).then(
      (status) => res.writeHead(status).end(),
      // The platform sends the delivery again.
      () => res.writeHead(500, { connection: "close" }).end(),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));

  return {
    url: `https://localhost:${(server.address() as AddressInfo).port}/hooks`,
    trust: (signingSecret) => {
      secret = signingSecret;
    },
    backfill: async (client) => {
      for await (const entry of client.entries.list({ version: "published" })) documents.save(entry, true);
    },
    documents: documents.live,
    received: documents.received,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      documents.close();
    },
  };
}

/** Opens the database of the documents and of the accepted webhooks. */
function openDocuments(file: string) {
  const db = new DatabaseSync(file);
  db.exec("create table if not exists webhook_deliveries (id text primary key, occurred_at text not null)");
  db.exec(
    `create table if not exists documents
     (id text primary key, version integer not null, is_live integer not null, slug text, title text)`,
  );
  const insert = db.prepare(
    "insert into webhook_deliveries (id, occurred_at) values (?, ?) on conflict (id) do nothing",
  );
  const upsert = db.prepare(
    `insert into documents (id, version, is_live, slug, title) values (?, ?, ?, ?, ?)
     on conflict (id) do update set version = excluded.version, is_live = excluded.is_live,
       slug = excluded.slug, title = excluded.title
     where excluded.version > documents.version`,
  );
  const save = ({ id, version, slug, data }: Entry, isLive: boolean) =>
    upsert.run(id, version, isLive ? 1 : 0, slug, String(data.title ?? ""));
  return {
    save,
    /** The delivery's id and its effect commit together. */
    handleOnce: (event: WebhookEvent, occurredAt: string): void => {
      db.exec("begin immediate");
      try {
        if (insert.run(event.id, occurredAt).changes === 1 && "entry" in event.data) {
          save(event.data.entry, event.type === "content.entry.published");
        }
        db.exec("commit");
      } catch (error) {
        db.exec("rollback");
        throw error;
      }
    },
    live: () =>
      db.prepare("select id, slug, title from documents where is_live = 1").all() as unknown as Document[],
    received: () =>
      db
        .prepare("select id, occurred_at as occurredAt from webhook_deliveries")
        .all() as unknown as ReceivedRow[],
    close: () => db.close(),
  };
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

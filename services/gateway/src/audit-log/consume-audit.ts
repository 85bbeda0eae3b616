// Consumes the queue `gateway.audit` and writes the other services' audit entries to the log, each once (interface §2, §8).
import { isUuid } from "@tradepost/http";
import {
  AUDIT_EXCHANGE,
  type ConsumeResult,
  declareParkingQueue,
  declareSubscribedQueue,
  decodeEvent,
  type Event,
  type IncomingMessage,
  startConsumer,
} from "@tradepost/messaging";
import { tenantOf, violatedConstraint } from "@tradepost/postgres";
import type { Logger, Metrics } from "@tradepost/runtime";
import type { Channel, ChannelModel } from "amqplib";
import { type Kysely, sql } from "kysely";
import { z } from "zod";
import type { Tables, Tenant } from "../tables.ts";
import { insertAuditEntry } from "./audit-log-store.ts";

const QUEUE = "gateway.audit";
const POISON_QUEUE = "gateway.audit.poison";
// A message may hold a connection while it waits for the chain of its tenant, and requests need the other connections.
const PREFETCH = 4;
const ACTOR_TYPES: ReadonlySet<string> = new Set(["user", "api_key", "operator"]);

export function startAuditConsumer(options: {
  db: Kysely<Tables>;
  replicated: () => Promise<void>;
  amqpUrl: string;
  logger: Logger;
  metrics: Metrics;
}) {
  const { db, replicated, logger, metrics } = options;
  return startConsumer({
    url: options.amqpUrl,
    name: "gateway.audit",
    replicated,
    logger,
    metrics,
    queue: QUEUE,
    poisonQueue: POISON_QUEUE,
    prefetch: PREFETCH,
    declare,
    handle: (message) => insertEntry(db, logger, message),
  });
}

async function declare(channel: Channel, connection: ChannelModel): Promise<void> {
  await declareParkingQueue(channel, POISON_QUEUE);
  const subscribed = {
    queue: QUEUE,
    poisonQueue: POISON_QUEUE,
    exchange: AUDIT_EXCHANGE,
    routingKeys: ["#"],
  };
  await declareSubscribedQueue(channel, connection, subscribed);
}

async function insertEntry(
  db: Kysely<Tables>,
  logger: Logger,
  message: IncomingMessage,
): Promise<ConsumeResult> {
  const decoded = decodeAuditEntry(message.content);
  if ("fault" in decoded) {
    logger.error({ messageId: message.messageId, fault: decoded.fault }, "an audit entry is malformed");
    return "reject";
  }
  const { id, type, tenant_id, occurred_at, request_id, actor } = decoded.event;
  const cause = {
    principal: {
      tenantId: tenant_id,
      actor: { ...actor, type: ACTOR_TYPES.has(actor.type) ? actor.type : "api_key" },
      client: decoded.data.client,
    },
    requestId: request_id,
  };
  try {
    const entry = { id, at: new Date(occurred_at), action: type, ...decoded.data };
    await tenantOf(db, tenant_id).transaction(async (tx) => {
      await insertAuditEntry(tx, entry, cause);
      if (type === "customer.erased") await listErased(tx, entry.target.id);
    });
  } catch (error) {
    const violated = violatedConstraint(error);
    // The broker has delivered it again.
    if (violated === "audit_log_pkey") return "ack";
    // The tenant does not exist, so a retry cannot succeed.
    if (violated !== "audit_log_tenant_id_fkey") throw error;
    return (await isDeleted(db, tenant_id)) ? "ack" : "reject";
  }
  return "ack";
}

/** Writes the second list of erased customers (interface §20). */
async function listErased({ db, tenantId }: Tenant, customerId: string): Promise<void> {
  if (!isUuid(customerId)) return;
  await sql`
    insert into erased_customers (customer_digest)
    values (sha256(uuid_send(${tenantId}::uuid) || uuid_send(${customerId}::uuid)))
    on conflict do nothing`.execute(db);
}

async function isDeleted(db: Kysely<Tables>, tenantId: string): Promise<boolean> {
  const { rows } = await sql`
    select from deleted_tenants where tenant_digest = sha256(uuid_send(${tenantId}::uuid))`.execute(db);
  return rows.length > 0;
}

const entryData = z.object({
  target: z.object({ type: z.string(), id: z.string() }),
  changes: z.record(z.string(), z.unknown()),
  client: z
    .object({ ip: z.ipv4().or(z.ipv6()).nullable(), userAgent: z.string().max(1_000).nullable() })
    .optional()
    .catch(undefined),
});

type Entry = { readonly event: Event; readonly data: z.output<typeof entryData> };

function decodeAuditEntry(content: Buffer): Entry | { readonly fault: string } {
  const decoded = decodeEvent(content);
  if ("fault" in decoded) return decoded;
  const data = entryData.safeParse(decoded.event.data);
  if (data.success) return { event: decoded.event, data: data.data };
  const fields = data.error.issues.map((issue) => ["data", ...issue.path].join("."));
  return { fault: `not an audit entry: ${[...new Set(fields)].join(", ")}` };
}

export function auditEntryFault(content: Buffer): string | null {
  const decoded = decodeAuditEntry(content);
  return "fault" in decoded ? decoded.fault : null;
}

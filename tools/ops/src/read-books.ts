// Reads what `ops verify` compares: the producers' databases first, then the queue, then the webhooks service's database.
// In any other order, what is on its way would look like a loss.
import { subscribableTypes } from "@tradepost/event-catalog";
import { type Commits, readCommits } from "@tradepost/messaging";
import { EVENTS_QUEUE, findStuck, readDeliveryTotals, type Tables } from "@tradepost/webhooks/operate";
import type { Kysely } from "kysely";
import { z } from "zod";
import type { Addresses } from "./addresses.ts";
import { type Books, FAULT_IDS_MAX } from "./compare-ledgers.ts";
import { askManagement } from "./management.ts";
import { withDatabase } from "./with-database.ts";

// The broker's figures are up to 5 seconds old: what was published longer ago than this is in them.
const GRACE_MS = 10_000;
// What the sweep's turn takes after its grace, where it has much to do.
const SWEEP_TURN_MS = 30_000;
const SWEEP_GRACE_MS = 30_000;
// A million events take seconds; more may take longer.
const STATEMENT_TIMEOUT_MS = 5 * 60 * 1_000;

const queue = z.object({ messages: z.number().default(0) });

/** Throws where a database, the broker or its queue `webhooks.events` is not to be had: then nothing can be verified. */
export async function readBooks(addresses: Addresses, since: Date): Promise<Books> {
  const { databases } = addresses;
  const read = <Result>(url: string, work: (db: Kysely<Tables>) => Promise<Result>) =>
    withDatabase(url, work, STATEMENT_TIMEOUT_MS);
  const asked = { types: subscribableTypes, since, graceMs: GRACE_MS, idsMax: FAULT_IDS_MAX };
  const producers: { isReplaying: boolean; tenants: Commits[] }[] = await Promise.all(
    [databases.orders, databases.content].map((url) => read(url, (db) => readCommits(db, asked))),
  );
  const queued = await countQueued(addresses);
  const [webhooks, stuck] = await read(databases.webhooks, (db) =>
    Promise.all([
      readDeliveryTotals(db, since, FAULT_IDS_MAX),
      findStuck(db, { since, overdueMs: sweepGraceMs() + SWEEP_TURN_MS, idsMax: FAULT_IDS_MAX }),
    ]),
  );
  return { producers, queued, webhooks, stuck };
}

async function countQueued({ amqpUrl, managementUrl }: Addresses): Promise<number> {
  const vhost = encodeURIComponent(decodeURIComponent(new URL(amqpUrl).pathname.slice(1)) || "/");
  const found = await askManagement(managementUrl, `/queues/${vhost}/${encodeURIComponent(EVENTS_QUEUE)}`);
  return queue.parse(found).messages;
}

/** The webhooks service's own setting, where this runs in its environment. */
function sweepGraceMs(): number {
  return Number(process.env.WEBHOOKS_SWEEP_GRACE_MS ?? SWEEP_GRACE_MS) || SWEEP_GRACE_MS;
}

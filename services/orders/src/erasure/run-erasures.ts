// Runs erasures in the background. Each step commits with its progress, so that any replica continues where the last one ended.
import { dataMap } from "@tradepost/data-map";
import { outboxRow } from "@tradepost/messaging";
import type { TenantDatabases } from "@tradepost/postgres";
import { backoff, type Logger, repeatOrWarn } from "@tradepost/runtime";
import { failPoint } from "@tradepost/runtime/fail-point";
import { sql } from "kysely";
import type { Pool } from "pg";
import { findCustomer } from "../customer/customer.ts";
import type { Tables, Tenant } from "../tables.ts";
import { NEXT_UPDATED_AT } from "../updated-within.ts";
import { eraseEvents } from "./erase-events.ts";
import { eraseOrders } from "./erase-orders.ts";
import { assignmentsOf } from "./erase-texts.ts";
import { eraseResponses, eraseWords } from "./erase-traces.ts";
import { FIRST_ORDER, lockErasure, type RunningErasure, type Step, saveProgress } from "./erasure-store.ts";

// Polling finds only erasures of a process that died: a request wakes its own process.
const POLL_EVERY_MS = 10_000;
const RETRY_AFTER_MS = 1_000;
// The broker usually has the audit entry within milliseconds.
const WAITING_BACKOFF = { minMs: 20, maxMs: RETRY_AFTER_MS };
// Erasures take turns, so that a customer with many orders does not delay other customers.
const RUNNING_MAX = 20;

/** `worker` only finds the running erasures, of all tenants; each step acts as its tenant. */
export function startErasures(options: {
  worker: Pool;
  tenants: TenantDatabases<Tables>;
  onCommit: () => void;
  logger: Logger;
}) {
  const { worker, tenants, onCommit, logger } = options;

  async function advance(tenantId: string, id: string): Promise<boolean> {
    try {
      const step = await tenants.of(tenantId).transaction((tx) => takeStep(tx, id));
      if (step === null) return false;
      failPoint("erasure.step-committed");
      onCommit();
      if (step.next === null) logger.info({ tenantId, erasureId: id }, "customer erased");
      return true;
    } catch (error) {
      logger.warn({ err: error, tenantId, erasureId: id }, "a step of an erasure failed; retrying");
      return false;
    }
  }

  let waitCount = 0;
  return repeatOrWarn(logger, "erasures were not looked for; retrying", RETRY_AFTER_MS, async () => {
    const { rows } = await worker.query<{ tenantId: string; id: string }>(FIND_RUNNING);
    let hasAdvanced = false;
    for (const { tenantId, id } of rows) hasAdvanced = (await advance(tenantId, id)) || hasAdvanced;
    waitCount = hasAdvanced ? 0 : waitCount + 1;
    if (hasAdvanced) return 0;
    return rows.length === 0 ? POLL_EVERY_MS : backoff(waitCount, WAITING_BACKOFF);
  });
}

const FIND_RUNNING = `
  select tenant_id as "tenantId", id from erasures where finished_at is null
   order by created_at limit ${RUNNING_MAX}`;

/** Returns null if another process works on the erasure, or the broker does not have the audit entry yet. */
async function takeStep(tx: Tenant, id: string): Promise<Step | null> {
  const erasure = await lockErasure(tx, id);
  if (erasure === null || !erasure.isAudited) return null;
  const step = await stepOf(tx, erasure);
  await saveProgress(tx, id, step);
  return step;
}

function stepOf(tx: Tenant, erasure: RunningErasure): Promise<Step> {
  const { progress } = erasure;
  switch (progress.step) {
    case "customer":
      return eraseCustomer(tx, erasure);
    case "orders":
      return eraseOrders(tx, erasure, progress.after);
    case "words":
      return eraseWords(tx, erasure, progress.after);
    case "responses":
      return eraseResponses(tx, erasure, progress.after);
  }
}

async function eraseCustomer(tx: Tenant, { customerId, cause }: RunningErasure): Promise<Step> {
  const erased = assignmentsOf(dataMap.orders.customers.person, () => "null");
  await sql`
    update customers set ${sql.raw(erased)}, version = version + 1, updated_at = ${sql.raw(NEXT_UPDATED_AT)}
     where tenant_id = ${tx.tenantId} and id = ${customerId}`.execute(tx.db);
  const customer = await findCustomer(tx, { id: customerId });
  if (customer === null) throw new Error("the customer of the erasure does not exist");
  const eventCount = await eraseEvents(tx, [customerId]);
  const event = outboxRow("customer.erased", customerId, { customer }, cause);
  await tx.db
    .insertInto("outbox")
    .values({ ...event, occurred_at: customer.updatedAt })
    .execute();
  return { next: { step: "orders", after: FIRST_ORDER }, rows: 1 + eventCount };
}

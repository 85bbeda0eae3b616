// Runs erasures in the background, step by step. Each step commits with its progress, so that a process that dies, or another replica,
// goes on where the last step ended.
import type { TenantDatabases, TenantStatements } from "@tradepost/postgres";
import { backoff, type Logger, repeat } from "@tradepost/runtime";
import { failPoint } from "@tradepost/runtime/fail-point";
import type { Pool } from "pg";
import type { Tables } from "../tables.ts";
import { eraseCustomer } from "./erase-customer.ts";
import { eraseOrders } from "./erase-orders.ts";
import { eraseResponses, eraseWords } from "./erase-traces.ts";
import { lockErasure, type RunningErasure, type Step, saveProgress } from "./erasure-store.ts";

// A request wakes its own process at once. So this finds only erasures of a process that died.
const POLL_EVERY_MS = 10_000;
const RETRY_AFTER_MS = 1_000;
// The broker has the audit entry within milliseconds, unless it is down.
const WAITING_BACKOFF = { minMs: 20, maxMs: RETRY_AFTER_MS };
// The running erasures of all tenants. They take turns, so that a customer with many orders does not delay others.
const RUNNING_MAX = 20;

interface Running {
  tenantId: string;
  id: string;
}

/** `worker` acts as the role that sees which erasures are running; all else happens as the tenant. */
export function startErasures(options: {
  worker: Pool;
  tenants: TenantDatabases<Tables>;
  onCommit: () => void;
  logger: Logger;
}) {
  const { worker, tenants, onCommit, logger } = options;

  /** Returns whether the step has been taken. */
  async function advance({ tenantId, id }: Running): Promise<boolean> {
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
  return repeat(async () => {
    try {
      const { rows } = await worker.query<Running>(FIND_RUNNING);
      let hasAdvanced = false;
      for (const erasure of rows) hasAdvanced = (await advance(erasure)) || hasAdvanced;
      waitCount = hasAdvanced ? 0 : waitCount + 1;
      if (hasAdvanced) return 0;
      return rows.length === 0 ? POLL_EVERY_MS : backoff(waitCount, WAITING_BACKOFF);
    } catch (error) {
      logger.warn({ err: error }, "erasures were not looked for; retrying");
      return RETRY_AFTER_MS;
    }
  });
}

const FIND_RUNNING = `
  select tenant_id as "tenantId", id from erasures where finished_at is null
   order by created_at limit ${RUNNING_MAX}`;

/** Returns null if another process is working on it, or if the broker does not have the audit entry yet. */
async function takeStep(tx: TenantStatements<Tables>, id: string): Promise<Step | null> {
  const erasure = await lockErasure(tx, id);
  if (erasure === null || !erasure.isAudited) return null;
  const step = await stepOf(tx, erasure);
  await saveProgress(tx, id, step);
  return step;
}

function stepOf(tx: TenantStatements<Tables>, erasure: RunningErasure): Promise<Step> {
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

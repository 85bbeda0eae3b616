// Records spans of a request's work: one for each single statement, group of statements and transaction.
import { childTraceparent, currentTraceparent, type Tracer } from "@tradepost/runtime";
import type { TenantDatabase, TenantStatements } from "./tenant.ts";

/** Returns the same database, which records its work for a request in spans whose parent is the request's span. */
export function tracedTenant<Tables>(
  database: TenantDatabase<Tables>,
  tracer: Tracer,
): TenantDatabase<Tables> {
  const { batched } = database;
  return {
    tenantId: database.tenantId,
    get db() {
      return database.db;
    },
    query: (config) => traced(tracer, "statement", () => database.query(config)),
    batched: {
      tenantId: batched.tenantId,
      get db() {
        return batched.db;
      },
      query: (config) => traced(tracer, "statement group", () => batched.query(config)),
    } satisfies TenantStatements<Tables>,
    transaction: (work) => traced(tracer, "transaction", () => database.transaction(work)),
  };
}

async function traced<Result>(tracer: Tracer, name: string, work: () => Promise<Result>): Promise<Result> {
  const parent = currentTraceparent();
  if (parent === undefined) return await work();
  const startedAt = performance.now();
  let hasFailed = true;
  try {
    const result = await work();
    hasFailed = false;
    return result;
  } finally {
    tracer.record({
      name,
      kind: "client",
      traceparent: childTraceparent(parent),
      parent,
      durationMs: performance.now() - startedAt,
      attributes: { "db.system.name": "postgresql" },
      hasFailed,
    });
  }
}

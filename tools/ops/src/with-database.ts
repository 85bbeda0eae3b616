// Opens one of the platform's databases for one command. A statement may take 15 seconds unless the caller sets a limit.
import { connectPostgres, type Postgres } from "@tradepost/postgres";
import { createLogger } from "@tradepost/runtime";
import type { Kysely } from "kysely";

type Options = Pick<Parameters<typeof connectPostgres>[0], "statementTimeoutMs" | "settings">;

export function withDatabase<Tables, Result>(
  url: string,
  work: (db: Kysely<Tables>) => Promise<Result>,
  options: Options = {},
): Promise<Result> {
  return withPostgres<Tables, Result>(url, ({ db }) => work(db), options);
}

/** Like `withDatabase`, but without Kysely. */
export function withPool<Result>(
  url: string,
  work: (pool: Postgres<Record<string, never>>["pool"]) => Promise<Result>,
  options: Options = {},
): Promise<Result> {
  return withPostgres<Record<string, never>, Result>(url, ({ pool }) => work(pool), options);
}

async function withPostgres<Tables, Result>(
  url: string,
  work: (postgres: Postgres<Tables>) => Promise<Result>,
  options: Options,
): Promise<Result> {
  const postgres = connectPostgres<Tables>({
    ...{ url, name: "ops", connectionsMax: 2, logger: createLogger("ops", "silent") },
    ...options,
  });
  try {
    return await work(postgres);
  } finally {
    await postgres.stop();
  }
}

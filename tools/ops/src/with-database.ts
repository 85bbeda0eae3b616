// Opens one of the platform's databases for one command. A statement may take 15 seconds unless the caller sets a limit.
import { connectPostgres } from "@tradepost/postgres";
import { createLogger } from "@tradepost/runtime";
import type { Kysely } from "kysely";

export async function withDatabase<Tables, Result>(
  url: string,
  work: (db: Kysely<Tables>) => Promise<Result>,
  statementTimeoutMs?: number,
): Promise<Result> {
  const postgres = connectPostgres<Tables>({
    url,
    name: "ops",
    connectionsMax: 2,
    ...(statementTimeoutMs !== undefined && { statementTimeoutMs }),
    logger: createLogger("ops", "silent"),
  });
  try {
    return await work(postgres.db);
  } finally {
    await postgres.stop();
  }
}

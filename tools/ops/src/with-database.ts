// Opens one of the platform's databases, or a connection to its broker, for one command. A statement may take 15 seconds unless the
// caller sets a limit.
import { AsyncLocalStorage } from "node:async_hooks";
import { readdir } from "node:fs/promises";
import path from "node:path";
import type { Tables as ContentTables } from "@tradepost/content/operate";
import type { Tables as GatewayTables } from "@tradepost/gateway/operate";
import { type Publisher, startPublisher } from "@tradepost/messaging";
import type { Tables as OrdersTables } from "@tradepost/orders/operate";
import { connectPostgres, newerMigrations, type Postgres, readExecutedMigrations } from "@tradepost/postgres";
import { brokerUrls, createLogger, RELEASE, StartError, withDeadline } from "@tradepost/runtime";
import type { Tables as WebhooksTables } from "@tradepost/webhooks/operate";
import type { Kysely } from "kysely";
import { SERVICES } from "./addresses.ts";

export type DatabaseOptions = Pick<Parameters<typeof connectPostgres>[0], "statementTimeoutMs" | "settings">;

// A person waits, and the other databases can be shown.
export const CONNECT_TIMEOUT_MS = 3_000;

/** The services whose databases a newer release has migrated, during a command. */
export const migratedByNewer = new AsyncLocalStorage<Set<string>>();

export interface TablesOf {
  readonly gateway: GatewayTables;
  readonly orders: OrdersTables;
  readonly content: ContentTables;
  readonly webhooks: WebhooksTables;
}

export type Pool = Postgres<unknown>["pool"];

/**
 * @throws Unreachable if the database does not respond or refuses the login.
 * @throws StartError if a newer release has migrated it and does not promise to work with this one, or if a build before 1.0.0
 * created it.
 */
export async function withDatabase<Tables, Result>(
  url: string,
  work: (db: Kysely<Tables>, pool: Pool) => Promise<Result>,
  options: DatabaseOptions = {},
): Promise<Result> {
  const postgres = connectPostgres<Tables>({
    ...{ url, name: "ops", connectionsMax: 2, logger: createLogger("ops", "silent") },
    connectTimeoutMs: CONNECT_TIMEOUT_MS,
    ...options,
  });
  try {
    await checkMigrations(await reach(url, () => readExecutedMigrations(postgres.pool)));
    return await work(postgres.db, postgres.pool);
  } finally {
    await postgres.stop();
  }
}

/** Accepts the databases that a service of this release would start on, and a database without migrations. */
async function checkMigrations(executed: Awaited<ReturnType<typeof readExecutedMigrations>>): Promise<void> {
  const [first] = executed.names;
  if (first === undefined) return;
  // The name of a service's first migration contains the service's name.
  const service = SERVICES.find((name) => first === `0001-${name}`);
  if (service === undefined)
    throw new StartError(`a build before release 1.0.0 created the database: it has migration ${first}.`);
  const files = await readdir(new URL(`../../../services/${service}/migrations/`, import.meta.url));
  const known = files.map((file) => path.basename(file, ".sql"));
  try {
    if (newerMigrations(executed, known, RELEASE).length > 0) migratedByNewer.getStore()?.add(service);
  } catch (error) {
    throw error instanceof StartError ? new StartError(`${service}: ${error.message}.`) : error;
  }
}

/** The message says why, and where the server should be. */
export class Unreachable extends Error {
  /** The URL, as in the addresses. */
  readonly url: string;

  constructor(url: string, reason: string, cause?: unknown) {
    super(reason, { cause });
    this.url = url;
  }
}

const REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: "connection refused",
  ECONNRESET: "connection reset",
  EHOSTUNREACH: "no route to the host",
  ENETUNREACH: "no route to the network",
  ENOTFOUND: "the name has no address",
  EAI_AGAIN: "the name cannot be looked up",
  ETIMEDOUT: "no response",
};
const TIMED_OUT = /timeout|ETIMEDOUT/i;
const HANDSHAKE_FAILED = /opening handshake/;

/** Does something that begins a connection to the server at `url`. @throws Unreachable if that fails. */
export async function reach<Result>(url: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw unreachable(url, error);
  }
}

/** Like `reach`, for work that goes on after it has connected to the broker. */
export async function reachBroker<Result>(url: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    const { code, message } = error as { code?: unknown; message?: unknown };
    const isAway =
      String(code) in REASONS || TIMED_OUT.test(String(message)) || HANDSHAKE_FAILED.test(String(message));
    throw isAway ? unreachable(url, error) : error;
  }
}

const BROKER_TIMEOUT_MS = 5_000;

/** Does `work` with a connection to the broker. @throws Unreachable without a broker. */
export async function withPublisher<Result>(
  url: string,
  work: (publisher: Publisher) => Promise<Result>,
  declare: Parameters<typeof startPublisher>[0]["declare"] = async () => {},
): Promise<Result> {
  const publisher = startPublisher({ url, name: "ops", logger: createLogger("ops", "silent"), declare });
  try {
    await reach(url, () => withDeadline(publisher.whenUp(), BROKER_TIMEOUT_MS, "no response"));
    return await work(publisher);
  } finally {
    await publisher.stop();
  }
}

function unreachable(url: string, error: unknown): unknown {
  if (!Error.isError(error) || error instanceof Unreachable || error instanceof StartError) return error;
  return new Unreachable(url, `${reasonOf(error)} at ${hostsOf(url)}`, error);
}

function reasonOf(error: Error): string {
  const { code, errors } = error as { code?: unknown; errors?: unknown };
  // A name with several addresses fails with one error for each.
  const [first] = Array.isArray(errors) ? errors : [];
  if (Error.isError(first)) return reasonOf(first);
  return REASONS[String(code)] ?? (TIMED_OUT.test(error.message) ? "no response" : error.message);
}

function hostsOf(url: string): string {
  return brokerUrls(url)
    .map((one) => new URL(one))
    .map(({ host, searchParams }) => host || searchParams.get("host"))
    .join(", ");
}

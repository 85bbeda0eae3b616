import { type Logger, sleep } from "@tradepost/runtime";

/** Undefined for any other error. */
export function violatedConstraint(error: unknown): string | undefined {
  const { code, constraint } = error as { code?: unknown; constraint?: unknown };
  const isIntegrityViolation = typeof code === "string" && code.startsWith("23");
  return isIntegrityViolation && typeof constraint === "string" ? constraint : undefined;
}

// 08…: the connection failed. 25006: a read-only database, such as a standby that is not primary yet. 25P03, 25P04: a transaction
// was idle or took too long. 40001, 40P01: rolled back in favour of another transaction. 40003: the connection was lost during a
// commit. 53000 to 53300: no disk space, memory or connections left. 55P03: a lock was not granted in time. 57014: the statement
// timed out. 57P01 to 57P03, 57P05: the server ended the session, or is starting up or shutting down.
const UNAVAILABLE_SQLSTATE = /^(08...|25006|25P0[34]|40001|40003|40P01|53[0-3]00|55P03|57014|57P0[1235])$/;
const UNAVAILABLE_SYSTEM_CODES = new Set([
  "EADDRNOTAVAIL",
  "EAI_AGAIN",
  "ECONNABORTED",
  "ECONNREFUSED",
  "ECONNRESET",
  "EHOSTDOWN",
  "EHOSTUNREACH",
  "EMFILE",
  "ENETDOWN",
  "ENETRESET",
  "ENETUNREACH",
  "ENFILE",
  "ENOBUFS",
  "ENOTFOUND",
  "EPIPE",
  "ETIMEDOUT",
]);
const UNAVAILABLE_MESSAGES =
  /Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error|not queryable/;

// A read-only file system and an exceeded quota share codes with other faults, but name a source file of Postgres that writes.
const DISK_FULL = "53100";
const IO_ERROR = /^58/;
const SHARED_CODES = /^(42501|XX000)$/;
const WRITING_SOURCES = /^(buffile|copydir|fd|md|slru|xlog)\.c$/;

/** As `/readyz` names it (interface §9); undefined for any other error. */
export function storageFault(error: unknown): "database_full" | "database_io_error" | undefined {
  const { code = "", file = "" } = error as { code?: unknown; file?: unknown };
  if (code === DISK_FULL) return "database_full";
  const isIoError =
    IO_ERROR.test(String(code)) || (SHARED_CODES.test(String(code)) && WRITING_SOURCES.test(String(file)));
  return isIoError ? "database_io_error" : undefined;
}

/** Reports whether Postgres refused an outdated plan, without executing the statement. */
export function isStalePlan(error: unknown): boolean {
  const { code, routine } = error as { code?: unknown; routine?: unknown };
  return code === "0A000" && routine === "RevalidateCachedQuery";
}

/** Reports whether the same statement may succeed later; the response is 503 (interface §1). */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (!Error.isError(error)) return false;
  // After a stale plan, a repeated transaction succeeds: the pool no longer prepares the statement.
  if (isStalePlan(error) || storageFault(error) !== undefined) return true;
  const { code, errors } = error as { code?: unknown; errors?: unknown };
  if (typeof code === "string" && (UNAVAILABLE_SQLSTATE.test(code) || UNAVAILABLE_SYSTEM_CODES.has(code)))
    return true;
  // A host name with several addresses fails with one error for each address.
  if (Array.isArray(errors)) return errors.some(isDatabaseUnavailable);
  return UNAVAILABLE_MESSAGES.test(error.message);
}

const RETRY_MS = 500;

/** Repeats `work`, which must be safe to repeat, every 500 ms while the database is unavailable, and logs that once. */
export async function retryWhileUnavailable<Result>(
  logger: Logger,
  work: () => Promise<Result>,
): Promise<Result> {
  for (let hasWaited = false; ; hasWaited = true) {
    try {
      return await work();
    } catch (error) {
      if (!isDatabaseUnavailable(error)) throw error;
      if (!hasWaited) logger.warn({ err: error }, "waiting for the database");
      await sleep(RETRY_MS);
    }
  }
}

// What an error from Postgres means: a constraint that held, or a database that cannot be reached.

/** The name of the constraint that an insert or update met, or undefined for any other error. */
export function violatedConstraint(error: unknown): string | undefined {
  const { code, constraint } = error as { code?: unknown; constraint?: unknown };
  const isIntegrityViolation = typeof code === "string" && code.startsWith("23");
  return isIntegrityViolation && typeof constraint === "string" ? constraint : undefined;
}

// Class 08: connection; 57P01 to 57P03: shutting down or starting up; 53300: too many connections;
// 57014: statement timeout. 25006: a standby that is not primary yet.
const UNAVAILABLE_SQLSTATE = /^(08...|57P0[1-3]|53300|57014|25006)$/;
const UNAVAILABLE_SYSTEM_CODES = new Set([
  "ECONNREFUSED",
  "ECONNRESET",
  "EPIPE",
  "ETIMEDOUT",
  "ENOTFOUND",
  "EHOSTUNREACH",
]);
const UNAVAILABLE_MESSAGES =
  /Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error|not queryable/;

/** True where trying again later may succeed and nothing is wrong with the request: answered 503 (contract §1). */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (!Error.isError(error)) return false;
  const { code, errors } = error as { code?: unknown; errors?: unknown };
  if (typeof code === "string" && (UNAVAILABLE_SQLSTATE.test(code) || UNAVAILABLE_SYSTEM_CODES.has(code)))
    return true;
  // A name with several addresses fails with one error for each.
  if (Array.isArray(errors)) return errors.some(isDatabaseUnavailable);
  return UNAVAILABLE_MESSAGES.test(error.message);
}

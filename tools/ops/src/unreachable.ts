// A database or broker that a command cannot use at the moment.
import { brokerUrls } from "@tradepost/runtime";

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

function unreachable(url: string, error: unknown): unknown {
  if (!Error.isError(error) || error instanceof Unreachable) return error;
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

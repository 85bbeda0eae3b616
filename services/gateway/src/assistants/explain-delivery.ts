// Explains to an assistant why a delivery failed and what comes next. Pure.

export interface Attempt {
  readonly outcome: string;
  readonly statusCode: number | null;
  /** Responses of release 1.0.0 lack this and the following fields. */
  readonly address?: string | null;
  readonly isReusedConnection?: boolean;
  readonly phases?: { readonly connectMs: number | null; readonly tlsMs: number | null };
}

/** Returns null if a response ended the attempt, or the phase is unknown. */
export function failedPhase(last: Attempt): "dns" | "connect" | "tls" | "response" | null {
  const { outcome, address, isReusedConnection, phases } = last;
  if (outcome === "dns_failed") return "dns";
  if (["delivered", "http_status", "address_refused"].includes(outcome) || !address) return null;
  if (isReusedConnection) return "response";
  if (phases?.connectMs === null) return "connect";
  return phases?.tlsMs === null ? "tls" : "response";
}

const TIMEOUTS: Readonly<Record<string, string>> = {
  connect: "The receiver's address did not accept a connection in time. A firewall may drop it.",
  tls: "The receiver accepted a connection, but did not end the TLS handshake in time.",
};

const CAUSES: Readonly<Record<string, string>> = {
  timeout: "The receiver did not respond in time. It should respond at once and do its work afterwards.",
  dns_failed: "The name servers of the endpoint's host name do not respond.",
  connection_refused: "Nothing accepts connections at the endpoint's address and port.",
  connection_reset: "The receiver closed the connection before it responded.",
  tls_failed:
    "The receiver's certificate is not valid: expired, for another name, or from an unknown authority.",
  address_refused:
    "The endpoint's host name does not resolve, or to an address that is not public. It may be misspelled.",
  response_invalid: "The receiver's response is not valid HTTP.",
  network_error: "The connection to the receiver failed.",
};

export function explainDelivery(
  { status, nextAttemptAt }: { readonly status: string; readonly nextAttemptAt: string | null },
  last: Attempt | undefined,
): string {
  return `${last === undefined ? "No attempt has ended yet." : causeOf(last)} ${whatNext(status, nextAttemptAt)}`;
}

function causeOf(last: Attempt): string {
  const { outcome, statusCode } = last;
  const timeout = outcome === "timeout" && TIMEOUTS[failedPhase(last) ?? ""];
  if (timeout) return timeout;
  if (outcome === "delivered") return "The receiver accepted it.";
  if (outcome !== "http_status" || statusCode === null) return CAUSES[outcome] ?? "The attempt failed.";
  if (statusCode >= 500) return `The receiver responded with ${statusCode}: it failed by itself.`;
  if (statusCode >= 400)
    return `The receiver refused it with ${statusCode}: ${REFUSALS[statusCode] ?? "see its response"}.`;
  return `The receiver responded with ${statusCode}. Only a 2xx is a success, and redirects are not followed.`;
}

const REFUSALS: Readonly<Record<number, string>> = {
  401: "it did not accept the signature or its credentials",
  403: "it did not accept the signature or its credentials",
  404: "its path may be misspelled",
  405: "it takes no POST at this path",
  410: "it is gone",
  413: "the event is too large for it",
  429: "it gets too many requests",
};

function whatNext(status: string, nextAttemptAt: string | null): string {
  switch (status) {
    case "failed":
      return "It is not tried again by itself. Once the receiver works, an administrator can redeliver it.";
    case "retrying":
    case "pending":
      return nextAttemptAt === null ? "It is tried again." : `It is tried again at ${nextAttemptAt}.`;
    case "paused":
      return "Its subscription is paused; it is sent once an administrator resumes it.";
    default:
      return `It is ${status}.`;
  }
}

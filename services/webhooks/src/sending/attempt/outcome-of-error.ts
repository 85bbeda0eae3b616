// Maps the error of a failed request to an outcome (interface §7). Pure.
import type { Outcome } from "../../delivery-status.ts";
import { AddressRefused } from "../../endpoint/endpoint.ts";

const OUTCOME_BY_CODE: Readonly<Record<string, Outcome>> = {
  ENOTFOUND: "dns_failed",
  EAI_AGAIN: "dns_failed",
  EAI_NODATA: "dns_failed",
  ENODATA: "dns_failed",
  EPROTO: "tls_failed",
  ECONNREFUSED: "connection_refused",
  ECONNRESET: "connection_reset",
  EPIPE: "connection_reset",
  UND_ERR_SOCKET: "connection_reset",
  ETIMEDOUT: "timeout",
  UND_ERR_CONNECT_TIMEOUT: "timeout",
  UND_ERR_HEADERS_TIMEOUT: "timeout",
  UND_ERR_BODY_TIMEOUT: "timeout",
  UND_ERR_HEADERS_OVERFLOW: "response_invalid",
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: "response_invalid",
  UND_ERR_RES_EXCEEDED_MAX_SIZE: "response_invalid",
};

// OpenSSL's codes for certificates have no common prefix.
const TLS_CODE =
  /^(ERR_TLS|ERR_SSL|CERT_|CRL_|UNABLE_TO_|ERROR_IN_|DEPTH_ZERO|SELF_SIGNED|HOSTNAME_|INVALID_|PATH_LENGTH_|UNSPECIFIED$)/;

/** Searches the error and its causes. */
export function outcomeOfError(error: unknown): Outcome {
  for (let cause: unknown = error; Error.isError(cause); cause = cause.cause) {
    if (cause instanceof AddressRefused) return "address_refused";
    if (cause.name === "TimeoutError") return "timeout";
    // undici's error for a response that is not valid HTTP has no code.
    if (cause.name === "HTTPParserError") return "response_invalid";
    const { code, errors } = cause as { code?: unknown; errors?: unknown };
    // Each address of a name may have failed differently. A specific outcome is more useful than "unreachable".
    if (Array.isArray(errors)) {
      const outcomes = errors.map(outcomeOfError);
      return outcomes.find((outcome) => outcome !== "network_error") ?? "network_error";
    }
    if (typeof code !== "string") continue;
    const known = OUTCOME_BY_CODE[code];
    if (known !== undefined) return known;
    if (TLS_CODE.test(code)) return "tls_failed";
  }
  return "network_error";
}

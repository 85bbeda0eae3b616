// The placeholder that is sent to a service instead of a body that is too large. The service then refuses the request by its
// headers, in the order of checks of interface §1: only the service knows whether the caller gets 403 or 413.
import { PassThrough } from "node:stream";
import { BODY_BYTES_MAX } from "@tradepost/http";

/** The `Content-Length` of the placeholder: one byte more than a service reads. */
export const OVERSIZED_LENGTH = String(BODY_BYTES_MAX + 1);

/** A body of one byte that never ends. undici sends the headers with the first byte. */
export function oversizedBody(): PassThrough {
  const body = new PassThrough();
  // Prevents an uncaught 'error'; the upstream request reports it.
  body.on("error", () => undefined);
  body.write(" ");
  return body;
}

// Validates the URL of an endpoint (interface §7). Pure except for the address guard.
import { shaped } from "@tradepost/http";
import { z } from "zod";
import type { AddressGuard } from "./address.ts";

const URL_CHARACTERS_MAX = 2_048;
const LABEL_CHARACTERS_MAX = 63;

export function urlInput(guard: AddressGuard) {
  return shaped(
    z
      .string("must be a string")
      .max(URL_CHARACTERS_MAX, {
        error: `must be at most ${URL_CHARACTERS_MAX} characters`,
        // A longer text is not parsed as a URL.
        abort: true,
      })
      .superRefine((value, context) => {
        const message = problemOf(value, guard);
        if (message !== null) context.addIssue({ code: "custom", message });
      }),
    z
      .string()
      .max(URL_CHARACTERS_MAX)
      .regex(/^https:\/\/[^/\s\\#][^\s\\#]*$/)
      .describe("An https URL on the public internet, without user, password and fragment."),
  );
}

function problemOf(value: string, guard: AddressGuard): string | null {
  const url = URL.parse(value);
  // The parser accepts spaces, control characters, backslashes and missing slashes, and takes a path for a host. These are refused,
  // so that the stored URL is the one that receives the deliveries.
  if (url === null || !/^[a-z][a-z0-9+.-]*:\/\/[^/]/i.test(value) || /[\s\\\p{Cc}]/u.test(value))
    return "must be an https URL";
  if (url.protocol !== "https:") return "must begin with https://";
  if (/^https:\/\/[^/?]*@/i.test(value)) return "must not contain a user name or password";
  if (value.includes("#")) return "must not have a fragment";
  if (!isHostName(url.hostname) || url.port === "0") return "must have a host and a port that exist";
  if (!guard.allowsHost(url.hostname)) return "must point to an address on the public internet";
  return null;
}

/** Returns false for a label that is empty, too long or wrongly encoded. */
function isHostName(host: string): boolean {
  return host
    .replace(/\.$/, "")
    .split(".")
    .every((label) => label !== "" && label !== "xn--" && label.length <= LABEL_CHARACTERS_MAX);
}

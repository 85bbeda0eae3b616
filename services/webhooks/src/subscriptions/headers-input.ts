// Validates a subscription's own headers (interface §7). No message contains a value. Pure.
import { jsonObject, shaped, withText } from "@tradepost/http";
import { memberNames } from "@tradepost/json";
import { z } from "zod";
import { ownHeaders } from "../endpoint/endpoint.ts";

const HEADERS_MAX = 10;
// A response does not list more faults.
const HEADERS_CHECKED_MAX = 200;
const NAME_CHARACTERS_MAX = 64;
const VALUE_CHARACTERS_MAX = 1_024;

// A token of RFC 9110.
const TOKEN = /^[!#$%&'*+.^_`|~0-9a-z-]+$/i;
// Receivers remove spaces at the ends.
const PRINTABLE = /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/;
// The platform's own headers, and those that belong to the connection.
const RESERVED =
  /^(?:host|connection|transfer-encoding|user-agent|content-.*|x-service-.*|webhook-.*|accept-encoding|expect|keep-alive|proxy-connection|te|trailer|upgrade)$/i;

const SHAPE = z
  .record(z.string(), z.string().max(VALUE_CHARACTERS_MAX))
  .meta({ maxProperties: HEADERS_MAX })
  .describe("An object with any fields");

/** Needs the headers as text, because `JSON.parse` drops the first of two equal names. With `keepsValues`, `•••` keeps a value. */
export function headersInput({ keepsValues }: { keepsValues: boolean }) {
  const headers = withText(jsonObject).transform(
    ({ text, value: given }, context): ownHeaders.OwnHeader[] => {
      const entries = Object.entries(given);
      if (entries.length > HEADERS_MAX) {
        context.addIssue({ code: "custom", message: `must be at most ${HEADERS_MAX} headers`, input: "" });
      }
      const repeated = repeatedNames(text);
      const seen = new Set<string>();
      for (const [name, value] of entries.slice(0, HEADERS_CHECKED_MAX)) {
        const problem =
          problemOfName(name, repeated.has(name) || seen.has(name.toLowerCase())) ??
          (keepsValues && value === ownHeaders.MASK ? null : problemOfValue(value));
        // Not the value, which is a secret. Null leaves the header out.
        const reported = value === null ? null : "";
        if (problem !== null)
          context.addIssue({ code: "custom", path: [name], message: problem, input: reported });
        seen.add(name.toLowerCase());
      }
      // Other values have been refused.
      return entries.map(([name, value]) => ({ name, value: typeof value === "string" ? value : "" }));
    },
  );
  return shaped(headers, SHAPE);
}

function repeatedNames(text: string): ReadonlySet<string> {
  const once = new Set<string>();
  const repeated = new Set<string>();
  for (const name of memberNames(text)) (once.has(name) ? repeated : once).add(name);
  return repeated;
}

function problemOfName(name: string, isRepeated: boolean): string | null {
  if (!TOKEN.test(name)) return "is not a header name";
  if (name.length > NAME_CHARACTERS_MAX)
    return `must have a name of at most ${NAME_CHARACTERS_MAX} characters`;
  if (RESERVED.test(name)) return "is set by the platform";
  return isRepeated ? "is named twice: header names are case-insensitive" : null;
}

function problemOfValue(value: unknown): string | null {
  if (typeof value !== "string") return "must be a string";
  if (value.length > VALUE_CHARACTERS_MAX) return `must be at most ${VALUE_CHARACTERS_MAX} characters`;
  return PRINTABLE.test(value)
    ? null
    : "must be printable ASCII characters, without a space at the start or the end";
}

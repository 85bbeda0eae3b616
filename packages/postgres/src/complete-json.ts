// Completes JSON within a statement. Events and recorded responses contain values that only the statement knows, such as a time. The
// statement puts them in place of a placeholder, so a change, its event and its record need one round trip.
import { newId } from "@tradepost/runtime";

/** Contains a new id, so that no text of a caller can equal it. */
export function newPlaceholder(): string {
  return `${newId()} decided`;
}

/** The parameters that `completeJson` needs, as the group `pending` of a `namedStatement`. */
export const placeholderColumns = {
  json: ({ pending }: { readonly pending: string }) => JSON.stringify(pending),
};

/** SQL for a JSON text in which `replacement`, SQL for JSON text, takes the place of the placeholder. */
export function completeJson(jsonText: string, replacement: string): string {
  return `replace(${jsonText}, $pending.json, ${replacement})::json`;
}

/** Returns the JSON text with `replacement`, as the statement has computed it, in place of the placeholder. */
export function completeText(jsonText: string, pending: string, replacement: string): string {
  return jsonText.replace(JSON.stringify(pending), () => replacement);
}

/** SQL for a timestamp column as JSON text, in the format of `JSON.stringify` for a Date. */
export function jsonTimeOf(column: string): string {
  return `to_json(to_char(${column} at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))::text`;
}

// Builds the curl command for a request of the screen. Pure.
import { OPERATIONS, type OperationId } from "@tradepost/client/operations";
import { addressOf, type Input } from "./send.ts";

/** The token is written as a shell variable: it is valid for only 15 minutes, and must not be shown on a screen. */
export function curlOf<Id extends OperationId>(id: Id, input: Input<Id>, origin: string): string {
  const operation = OPERATIONS[id];
  const method = operation.method === "GET" ? "" : ` -X ${operation.method}`;
  const lines = [
    `curl -sS${method} ${quoted(origin + addressOf(operation, input))}`,
    '-H "Authorization: Bearer $TRADEPOST_TOKEN"',
    ...(input.body === undefined
      ? []
      : ["-H 'Content-Type: application/json'", `-d ${quoted(JSON.stringify(input.body))}`]),
  ];
  return lines.join(" \\\n  ");
}

export function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

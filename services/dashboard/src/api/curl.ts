// The command that sends the same request as the screen does. Pure.
import { OPERATIONS, type OperationId } from "@tradepost/client/operations";
import { addressOf, type Input } from "./send.ts";

/** The credential is a variable of the shell: a token lives for 15 minutes, and belongs on no screen. */
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

/** As one word of a shell, whatever it contains. */
export function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

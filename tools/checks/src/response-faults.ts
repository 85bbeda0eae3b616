// Compares the responses recorded during a run of all tests with the API description. Pure.
import type { Document, Operation } from "@tradepost/api-description";

/** A line of TRADEPOST_RESPONSES_FILE, written by packages/http/src/check-response.ts. */
type Entry = { readonly operation: string; readonly status: number } | { readonly fault: string };

/**
 * Returns one line for each response that differs from the description, each operation that no test requested, and each
 * successful status that no test received.
 */
export function responseFaults(recorded: string, description: Document): string[] {
  const entries = recorded
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as Entry);
  const faults = entries.flatMap((entry) => ("fault" in entry ? [entry.fault] : []));
  const seen = new Set(
    entries.flatMap((entry) => ("operation" in entry ? [`${entry.operation} ${entry.status}`] : [])),
  );
  const operations = Object.values(description.paths).flatMap(Object.values<Operation>);
  return [...new Set(faults), ...operations.flatMap((operation) => gapsOf(operation, seen))];
}

function gapsOf({ operationId, responses }: Operation, seen: ReadonlySet<string>): string[] {
  const statuses = Object.keys(responses);
  if (!statuses.some((status) => seen.has(`${operationId} ${status}`))) {
    return [`${operationId}: no test requests it`];
  }
  return statuses
    .filter((status) => /^2|^302$/.test(status) && !seen.has(`${operationId} ${status}`))
    .map((status) => `${operationId}: no test receives a ${status}`);
}

// The names of the API's fields as the tools' arguments have them: `items[3].unitPrice` is `items[3].unit_price`. Pure.
import type { FieldFault } from "@tradepost/http";

// Names that are not only spelled differently.
const ARGUMENTS: Readonly<Record<string, string>> = {
  "Idempotency-Key": "request_key",
  ids: "customer_ids",
  body: "arguments",
};

/** Names below these are the tenant's own and stay as they are. */
const VERBATIM = /^(data|metadata)(?=[.[])/;

export function argumentFaults(faults: readonly FieldFault[]): FieldFault[] {
  return faults.map(({ path, message }) => ({ path: argumentPath(path), message }));
}

function argumentPath(path: string): string {
  if (Object.hasOwn(ARGUMENTS, path)) return ARGUMENTS[path] as string;
  return VERBATIM.test(path) ? path : snakeCase(path);
}

function snakeCase(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

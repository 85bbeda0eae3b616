import type { Addresses } from "./addresses.ts";

/** What every command receives: the addresses, and the one way to print its result. */
export interface Operator {
  addresses(): Addresses;
  /** Prints the first with --json, the second without. */
  print(json: unknown, text: string): void;
}

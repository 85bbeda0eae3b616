import type { Addresses } from "./addresses.ts";

/** The arguments of every command: the addresses, and the one way to print its result. */
export interface Operator {
  addresses(): Addresses;
  /** Prints `json` with --json, otherwise `text`. */
  print(json: unknown, text: string): void;
  /** Prints a sentence on standard error, with and without --json. */
  note(text: string): void;
  /** Makes the command's exit status 1, although it has printed its result. */
  fail(): void;
}

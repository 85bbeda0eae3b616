import type { Addresses } from "./addresses.ts";

/** The arguments of every command: the addresses, the one way to print its result, and how it goes on without a server. */
export interface Operator {
  addresses(): Addresses;
  /** Prints `json` with --json, otherwise `text`. */
  print(json: unknown, text: string): void;
  /** Prints a sentence on standard error, with and without --json. */
  note(text: string): void;
  /** Makes the command's exit status 1, although it has printed its result. */
  fail(): void;
  /**
   * Resolves to null if the work needs a server that cannot be used. `print` then names the server, in the text or, with --json, on
   * standard error, and the exit status is 2.
   */
  ifReachable<Result>(work: Promise<Result>): Promise<Result | null>;
}

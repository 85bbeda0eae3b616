// What every operators' command is given.
import type { Addresses } from "./addresses.ts";

/** What a command is given, and the one way to say what came of it. */
export interface Operator {
  addresses(): Addresses;
  /** In: what --json prints, and the same in words. */
  tell(json: unknown, words: string): void;
}

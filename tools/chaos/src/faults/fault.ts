// One fault, and what it can reach.
import type { Tenant } from "@tradepost/devstack";
import type { Stack } from "../stack.ts";
import type { Stream } from "../stream.ts";
import type { startHearing, startReceiving } from "../witness.ts";

export interface Scene {
  readonly stack: Stack;
  readonly receiver: Awaited<ReturnType<typeof startReceiving>>;
  readonly hearing: ReturnType<typeof startHearing>;
  /** Whose requests the stream sends. */
  readonly tenants: readonly Tenant[];
  /** Means ill, and sends nothing in the stream. */
  readonly hostile: Tenant;
  /** How long a fault lasts whose length can be chosen. */
  readonly lastMs: number;
}

/** A scene while the stream goes on. */
export interface Strike extends Scene {
  readonly stream: Stream;
  /** Prints a figure below the fault's row. */
  readonly note: (figure: string) => void;
  /** Reports what is not as promised; the run then ends with exit status 1. */
  readonly fail: (what: string) => void;
}

export interface Fault {
  readonly name: string;
  /** Strikes, repairs what does not repair itself, and resolves when all is whole again. */
  readonly strike: (strike: Strike) => Promise<void>;
  /** Clients may be asked to try again while it lasts. Without it, nobody is refused anything. */
  readonly mayRefuse?: true;
  /** The stream's requests stay fast while it lasts, and are as fast as before afterwards. */
  readonly keepsPace?: true;
  /** Part of the short run, which is one of the tests. */
  readonly isShort?: true;
}

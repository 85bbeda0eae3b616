// One fault, and what it can reach.
import type { TenantCredentials } from "@tradepost/devstack";
import type { startEventObserver, startWebhookObserver } from "../observer.ts";
import type { ChaosPlatform } from "../platform.ts";
import type { Stream } from "../stream.ts";

export interface Scene {
  readonly platform: ChaosPlatform;
  readonly receiver: Awaited<ReturnType<typeof startWebhookObserver>>;
  readonly hearing: ReturnType<typeof startEventObserver>;
  /** Whose requests the stream sends. */
  readonly tenants: readonly TenantCredentials[];
  /** Means ill, and sends nothing in the stream. */
  readonly hostile: TenantCredentials;
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

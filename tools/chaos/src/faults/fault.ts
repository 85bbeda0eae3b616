import type { Environment } from "../environment.ts";
import type { ChaosPlatform, SingleNodePlatform } from "../platform.ts";

export interface FaultContext<Injured extends ChaosPlatform = SingleNodePlatform>
  extends Environment<Injured> {
  /** For a fault whose duration can be chosen. */
  readonly durationMs: number;
  readonly note: (figure: string) => void;
  /** Reports that no primary that was cut off responds any more. From then on reads show only what lasts. */
  readonly primariesReplaced: () => void;
}

export interface Fault<Injured extends ChaosPlatform = SingleNodePlatform> {
  readonly name: string;
  /** Also repairs what does not recover by itself. Resolves when the platform works again. */
  readonly inject: (context: FaultContext<Injured>) => Promise<void>;
  /** Requests may get no response or a retryable status during the fault. Otherwise each failed request is a violation. */
  readonly mayFailRequests?: true;
  /** Cuts off primaries, whose reads may show what is lost afterwards, until it calls `primariesReplaced` (interface §21). */
  readonly readsMayShowLost?: true;
  /** Injected even if `--fault` names only other faults, because they need its result. */
  readonly isAlways?: true;
  /** Part of `--short`, which the tests run. */
  readonly isShort?: true;
}

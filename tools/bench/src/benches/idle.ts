// The processor time of a platform that has nothing to do.
import { SERVICES } from "@tradepost/devstack";
import { sleep } from "@tradepost/runtime";
import { perUnit } from "../observe.ts";
import type { Bench, BenchContext } from "./bench.ts";

/** Long enough for the work that follows a start to end, and for the services to have come to rest and returned memory. */
const SETTLE_MS = 75_000;
const PERCENT_PER_MS_A_SECOND = 0.1;

export const idle: Bench = {
  name: "idle",
  description:
    "% of a core that the four services use for a minute without work; Postgres and RabbitMQ beside them",
  target: "≤ 1.5 %; 0.8 % is ambitious",
  run: async (context) => {
    if (!context.scale.isShort) await sleep(SETTLE_MS);
    const perSecond = await idleTime(context, context.scale.idleSeconds);
    const percent = (name: string) => (perSecond[name] ?? 0) * PERCENT_PER_MS_A_SECOND;
    return {
      unit: "% of a core",
      measured: SERVICES.reduce((total, name) => total + percent(name), 0),
      figures: Object.fromEntries(
        Object.keys(perSecond).map((name) => [`${name}, % of a core`, percent(name)]),
      ),
    };
  },
};

/** Milliseconds of processor time per second, by program. */
export async function idleTime({ observe }: BenchContext, seconds: number): Promise<Record<string, number>> {
  const { cpuMs } = await observe(() => sleep(seconds * 1_000));
  return perUnit(cpuMs, seconds);
}

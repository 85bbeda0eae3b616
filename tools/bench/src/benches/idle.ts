// The processor time of a platform that has nothing to do.
import { SERVICES } from "@tradepost/devstack";
import { sleep } from "@tradepost/runtime";
import { perUnit } from "../observe.ts";
import type { Bench } from "./bench.ts";

/** Long enough for the work that follows a start to end, and for the services to have come to rest and returned memory. */
const SETTLE_MS = 75_000;
const PERCENT_PER_MS_A_SECOND = 0.1;

export const idle: Bench = {
  name: "idle",
  description: "% of a core that the four services, Postgres and RabbitMQ use for a minute without work",
  target: "≤ 1.5 % for the services; 0.8 % is ambitious",
  run: async ({ observe, scale }) => {
    if (!scale.isShort) await sleep(SETTLE_MS);
    const { cpuMs } = await observe(() => sleep(scale.idleSeconds * 1_000));
    const perSecond = perUnit(cpuMs, scale.idleSeconds);
    const figures = Object.entries(perSecond).map(([name, ms]) => {
      return [`${name}, % of a core`, ms * PERCENT_PER_MS_A_SECOND];
    });
    const ofServices = SERVICES.reduce((total, name) => total + (perSecond[name] ?? 0), 0);
    const measured = ofServices * PERCENT_PER_MS_A_SECOND;
    return { unit: "% of a core", measured, figures: Object.fromEntries(figures) };
  },
};

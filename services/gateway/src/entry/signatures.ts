// Learns from responses whether the services accept this gateway's signatures. Only a service can see that the clocks differ.
import type { Metrics } from "@tradepost/runtime";
import type { ServiceName } from "../services.ts";

const REFUSED_MIN = 3;
// Each service is asked for lost audit entries every 30 s.
const RECENT_MS = 60_000;
const ASK_EVERY_MS = 1_000;

export type Signatures = ReturnType<typeof watchSignatures>;

/** `ask` must not reject. */
export function watchSignatures(metrics: Metrics, ask: () => Promise<void>) {
  const verdicts = new Map<ServiceName, { refused: number; missing: "clock" | "secret"; at: number }>();
  const counter = metrics.counter(
    "gateway_signatures_refused_total",
    "Requests of this gateway whose signature a service refused.",
    ["upstream", "reason"],
  );
  let askedAt = Number.NEGATIVE_INFINITY;
  return {
    note: (service: ServiceName, refusedFor: string | null) => {
      const refused = refusedFor === null ? 0 : (verdicts.get(service)?.refused ?? 0) + 1;
      const missing = refusedFor === "clock" || refusedFor === "expired" ? "clock" : "secret";
      verdicts.set(service, { refused, missing, at: performance.now() });
      if (refusedFor !== null) counter.inc({ upstream: service, reason: refusedFor });
    },
    /** The fault as /readyz names it. */
    faultOf: (service: ServiceName) => {
      const verdict = verdicts.get(service);
      return verdict && verdict.refused > 0 ? verdict.missing : undefined;
    },
    /**
     * Rejects with `clock` or `secret` as `missing` while every service that responded in the last minute refuses (interface
     * §9). Asks again unless all accept, so that readiness recovers without requests.
     */
    check: async () => {
      const now = performance.now();
      const recent = [...verdicts.values()].filter(({ at }) => now - at < RECENT_MS);
      const isCertain = recent.length > 0 && recent.every(({ refused }) => refused === 0);
      if (!isCertain && now - askedAt >= ASK_EVERY_MS) {
        askedAt = now;
        void ask();
      }
      const [one] = recent;
      if (one === undefined || recent.some(({ refused }) => refused < REFUSED_MIN)) return;
      throw Object.assign(new Error("the services refuse the gateway's signatures"), {
        missing: one.missing,
      });
    },
  };
}

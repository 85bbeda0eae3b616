// Asks the services what tenants use: every few seconds about tenants that change something, so that a quota takes effect soon,
// and about others when they ask. Reports to the webhooks service, which has the notices, when a quota is near.
import { ApiError, type FinishedRequest } from "@tradepost/http";
import { type Quota, USAGE_PATH, type UsageReport, usageReport } from "@tradepost/messaging";
import { type Tenant, tenantOf } from "@tradepost/postgres";
import type { Logger } from "@tradepost/runtime";
import type { Kysely } from "kysely";
import type { Tables } from "../tables.ts";
import { checkActive } from "./check-active.ts";
import { nearQuotas } from "./near-quotas.ts";
import { findStale, type QuotasOfSettings, readUsage, saveNear, saveReport } from "./usage-store.ts";

export type { QuotasOfSettings } from "./usage-store.ts";

const serviceNames = ["orders", "content", "webhooks"] as const;
type ServiceName = (typeof serviceNames)[number];

/** Resolves with `data` of a 200; throws for any other response. */
type AskService = (
  service: ServiceName,
  tenantId: string,
  request: { method: "GET" | "PUT"; path: string; body?: object },
) => Promise<unknown>;

const CHECK_EVERY_MS = 15_000;
// Images are processed, and the relay publishes, after the request that caused it.
const ACTIVE_MS = 60_000;
const LOOK_AGAIN_AFTER_MS = 5 * 60_000;
// Counting rows that no quota limits reads an index.
const FRESH_MS = 60_000;
/** Older figures are not shown (interface §19). */
const AGE_MS_MAX = 5 * 60_000;

export interface UsageTimes {
  readonly checkEveryMs?: number;
  /** The greatest age of the figures of GET /v1/usage if the services respond. */
  readonly freshMs?: number;
}

interface UsageOptions extends UsageTimes {
  readonly db: Kysely<Tables>;
  readonly ask: AskService;
  readonly quotasOfSettings: QuotasOfSettings;
  readonly logger: Logger;
}

export function startUsage(options: UsageOptions) {
  const { db, quotasOfSettings, checkEveryMs = CHECK_EVERY_MS, freshMs = FRESH_MS, logger } = options;
  const asking = new Map<string, Promise<void>>();

  /** Requests for the same at the same time share one. */
  function count(tenantId: string, service: ServiceName, withCounts: boolean): Promise<void> {
    const key = `${tenantId} ${service} ${withCounts}`;
    const running = asking.get(key);
    if (running !== undefined) return running;
    const started = countNow(options, tenantId, service, withCounts).finally(() => asking.delete(key));
    asking.set(key, started);
    return started;
  }

  const shared = { everyMs: checkEveryMs, logger };
  const nearChecks = checkActive({
    ...shared,
    check: (tenantId) => tellNear(options, tenantOf(db, tenantId)),
  });
  const counting = serviceNames.map((service) =>
    checkActive({
      ...shared,
      check: async (tenantId) => {
        await count(tenantId, service, false);
        nearChecks.add(tenantId, Date.now());
      },
      findMore: () => findStale(db, service, LOOK_AGAIN_AFTER_MS),
    }),
  );

  return {
    note: ({ principal, method }: FinishedRequest): void => {
      if (principal === undefined || method === "GET" || method === "HEAD") return;
      for (const { add } of counting) add(principal.tenantId, Date.now() + ACTIVE_MS);
    },
    /** Throws 503 if a service does not respond and its last report is too old. */
    read: async (tenantId: string) => {
      const tenant = tenantOf(db, tenantId);
      const stored = await readUsage(tenant, quotasOfSettings);
      await Promise.all(
        serviceNames.map(async (service) => {
          const ageMs = stored?.ageMs[service] ?? Number.POSITIVE_INFINITY;
          if (ageMs < freshMs) return;
          try {
            await count(tenantId, service, true);
          } catch (error) {
            logger.warn({ err: error, service }, "usage was not counted");
            if (ageMs >= AGE_MS_MAX) throw notCounted(service, error);
          }
        }),
      );
      const usage = await readUsage(tenant, quotasOfSettings);
      if (usage === null) throw new Error("the tenant has been deleted");
      return usage;
    },
    stop: async () => {
      await Promise.all([...counting, nearChecks].map(({ stop }) => stop()));
    },
  };
}

export type Usage = ReturnType<typeof startUsage>;

async function countNow(
  { db, ask }: UsageOptions,
  tenantId: string,
  service: ServiceName,
  withCounts: boolean,
): Promise<void> {
  const path = withCounts ? `${USAGE_PATH}?counts=true` : USAGE_PATH;
  const report: UsageReport = usageReport.parse(await ask(service, tenantId, { method: "GET", path }));
  await saveReport(tenantOf(db, tenantId), service, report);
}

/** Does nothing if that has not changed. */
async function tellNear({ ask, quotasOfSettings }: UsageOptions, tenant: Tenant<Tables>): Promise<void> {
  const usage = await readUsage(tenant, quotasOfSettings);
  if (usage === null) return;
  const { used, max, near: before } = usage;
  const near = nearQuotas(used, max, before);
  if (near.length === before.length && near.every((quota) => before.includes(quota))) return;
  const facts = (quota: Quota) => ({ quota, used: used[quota], max: max[quota] });
  await ask("webhooks", tenant.tenantId, {
    method: "PUT",
    path: "/internal/near-quotas",
    body: { near: near.map(facts) },
  });
  await saveNear(tenant, near);
}

function notCounted(service: ServiceName, cause: unknown): ApiError {
  return new ApiError(
    "service_unavailable",
    `The figures of the ${service} service are not available; try again.`,
    { headers: { "retry-after": "2" }, cause },
  );
}

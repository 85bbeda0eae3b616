// Asks the services what tenants use: every few seconds about tenants that change something, so that a quota takes effect soon,
// and about a tenant that asks. Reports to the webhooks service, which has the notices, when a quota is near.
import { ApiError, type FinishedRequest, NO_ID } from "@tradepost/http";
import {
  NO_BYTES,
  type Quota,
  USAGE_PATH,
  USAGE_TENANTS_MAX,
  usageReport,
  usageReports,
} from "@tradepost/messaging";
import { tenantOf } from "@tradepost/postgres";
import { type Logger, repeatOrWarn } from "@tradepost/runtime";
import type { Kysely } from "kysely";
import { type AskService, SERVICES, type ServiceName } from "../services.ts";
import type { Tables } from "../tables.ts";
import { checkActive } from "./check-active.ts";
import { nearQuotas } from "./near-quotas.ts";
import {
  findStale,
  type QuotasOfSettings,
  readUsage,
  STALE_MAX,
  type StoredUsage,
  saveNear,
  saveReports,
  type TenantReport,
} from "./usage-store.ts";

export type { QuotasOfSettings } from "./usage-store.ts";

const CHECK_EVERY_MS = 15_000;
// Images are processed, and the relay publishes, after the request that caused it.
const ACTIVE_MS = 60_000;
const LOOK_AGAIN_AFTER_MS = 5 * 60_000;
// The number of checks between two runs of `findStale`.
const CHECKS_PER_LOOK = 4;
// The number of connections to each service for these requests.
const REQUESTS_AT_A_TIME = 4;
// Counting rows reads an index, and no quota limits rows.
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

  /** Concurrent requests for the same tenant and service share one. */
  function countAll(tenantId: string, service: ServiceName): Promise<void> {
    const key = `${tenantId} ${service}`;
    const running = asking.get(key);
    if (running !== undefined) return running;
    const started = countAllNow(options, tenantId, service).finally(() => asking.delete(key));
    asking.set(key, started);
    return started;
  }

  const shared = { tenantsMax: USAGE_TENANTS_MAX, everyMs: checkEveryMs, logger };
  const nearChecks = checkActive({ ...shared, check: (tenantIds) => tellNear(options, tenantIds) });
  const startCounting = (service: ServiceName) =>
    checkActive({
      ...shared,
      check: async (tenantIds) => {
        const changed = await saveReports(db, service, await askBytes(options, service, tenantIds));
        for (const tenantId of changed) nearChecks.add(tenantId, Date.now());
        return changed;
      },
    });
  const counting = {
    orders: startCounting("orders"),
    content: startCounting("content"),
    webhooks: startCounting("webhooks"),
  };
  const finding = repeatOrWarn(logger, "tenants were not looked for; retrying", checkEveryMs, async () => {
    const found = await findStale(db, LOOK_AGAIN_AFTER_MS);
    for (const { service, tenantId } of found) counting[service].add(tenantId, Date.now());
    return found.length === STALE_MAX ? checkEveryMs : checkEveryMs * CHECKS_PER_LOOK;
  });

  return {
    note: ({ principal, method }: FinishedRequest): void => {
      if (principal === undefined || method === "GET" || method === "HEAD") return;
      const untilMs = Date.now() + ACTIVE_MS;
      for (const service of SERVICES) counting[service].add(principal.tenantId, untilMs);
    },
    /** Throws 503 if a service does not respond and its last report is too old. */
    read: async (tenantId: string) => {
      const [stored] = await readUsage(db, [tenantId], quotasOfSettings);
      await Promise.all(
        SERVICES.map(async (service) => {
          const ageMs = stored?.ageMs[service] ?? Number.POSITIVE_INFINITY;
          if (ageMs < freshMs) return;
          try {
            await countAll(tenantId, service);
          } catch (error) {
            logger.warn({ err: error, service }, "usage was not counted");
            if (ageMs >= AGE_MS_MAX) throw notCounted(service, error);
          }
        }),
      );
      const [usage] = await readUsage(db, [tenantId], quotasOfSettings);
      if (usage === undefined) throw new Error("the tenant has been deleted");
      return usage;
    },
    stop: async () => {
      await Promise.all([finding, ...Object.values(counting), nearChecks].map(({ stop }) => stop()));
    },
  };
}

export type Usage = ReturnType<typeof startUsage>;

async function countAllNow({ db, ask }: UsageOptions, tenantId: string, service: ServiceName): Promise<void> {
  const path = `${USAGE_PATH}?counts=true`;
  const report = usageReport.parse(await ask(service, tenantId, { method: "GET", path }));
  await saveReports(db, service, [{ tenantId, ...report }]);
}

async function askBytes(options: UsageOptions, service: ServiceName, tenantIds: readonly string[]) {
  const request = { method: "POST", path: USAGE_PATH, body: { tenantIds } } as const;
  try {
    const reports = usageReports.parse(await options.ask(service, NO_ID, request));
    const bytesOf = new Map(reports.map(({ tenantId, bytes }) => [tenantId, bytes]));
    return tenantIds.map((tenantId) => ({
      tenantId,
      bytes: bytesOf.get(tenantId) ?? NO_BYTES,
      counts: null,
    }));
  } catch (error) {
    if ((error as { status?: number }).status !== 405) throw error;
    return await askEach(options, service, tenantIds);
  }
}

/** For a service of release 1.0.0. */
async function askEach({ ask }: UsageOptions, service: ServiceName, tenantIds: readonly string[]) {
  const reports: TenantReport[] = [];
  await forEach(tenantIds, async (tenantId) => {
    const report = usageReport.parse(await ask(service, tenantId, { method: "GET", path: USAGE_PATH }));
    reports.push({ tenantId, ...report });
  });
  return reports;
}

/** Does the work for all, even if it fails for some; then it rejects with one of the failures. */
async function forEach<Item>(items: readonly Item[], work: (item: Item) => Promise<void>): Promise<void> {
  const waiting = items.values();
  const failures: unknown[] = [];
  const workNext = async () => {
    for (const item of waiting) await work(item).catch((error: unknown) => failures.push(error));
  };
  await Promise.all(Array.from({ length: REQUESTS_AT_A_TIME }, workNext));
  if (failures.length > 0) throw failures[0];
}

async function tellNear(options: UsageOptions, tenantIds: readonly string[]): Promise<string[]> {
  const usages = await readUsage(options.db, tenantIds, options.quotasOfSettings);
  await forEach(usages, (usage) => tellNearOf(options, usage));
  return [];
}

async function tellNearOf(
  { db, ask }: UsageOptions,
  { tenantId, used, max, near: before }: StoredUsage,
): Promise<void> {
  const near = nearQuotas(used, max, before);
  if (near.length === before.length && near.every((quota) => before.includes(quota))) return;
  const facts = (quota: Quota) => ({ quota, used: used[quota], max: max[quota] });
  await ask("webhooks", tenantId, {
    method: "PUT",
    path: "/internal/near-quotas",
    body: { near: near.map(facts) },
  });
  await saveNear(tenantOf(db, tenantId), near);
}

function notCounted(service: ServiceName, cause: unknown): ApiError {
  return new ApiError(
    "service_unavailable",
    `The figures of the ${service} service are not available; try again.`,
    { headers: { "retry-after": "2" }, cause },
  );
}

// `ops usage`: what each tenant uses. Requests are counted by day, so all work counts from the start of yesterday.
import { CANARY_TENANT_ID } from "@tradepost/event-catalog";
import type { Command } from "commander";
import { type Kysely, sql } from "kysely";
import { SERVICES, type ServiceName } from "./addresses.ts";
import { type Operator, wholeNumber } from "./arguments.ts";
import { table } from "./table.ts";

const TOP = 10;
// Two days of events and attempts are counted.
const STATEMENT_TIMEOUT_MS = 60_000;
const YESTERDAY = sql`(current_date - 1)`;

const SOURCES = {
  requests: ["gateway"],
  // Requests with the status 429.
  refused: ["gateway"],
  orders: ["orders"],
  events: ["orders", "content"],
  deliveriesWaiting: ["webhooks"],
  attempts: ["webhooks"],
  mediaBytes: ["gateway"],
  eventBytes: ["gateway"],
} as const satisfies Record<string, readonly ServiceName[]>;

type Figure = keyof typeof SOURCES;
type Figures = { readonly tenantId: string; readonly slug?: string } & {
  readonly [figure in Figure]?: number;
};
/** A figure is null if no database that has it is reachable. */
type TenantUse = { readonly tenantId: string; readonly slug: string | null } & {
  readonly [figure in Figure]: number | null;
};

const STATEMENTS = {
  gateway: sql<Figures>`
    select id as "tenantId", slug, coalesce(requests, 0)::float as requests, coalesce(refused, 0)::float as refused,
           coalesce(media_bytes, 0)::float as "mediaBytes", coalesce(event_bytes, 0)::float as "eventBytes"
      from tenants
     cross join lateral (select sum(count) as requests, sum(refused) as refused from request_days
                          where tenant_id = tenants.id and day >= ${YESTERDAY}) as asked
     cross join lateral (select sum(media_bytes) as media_bytes, sum(event_bytes) as event_bytes from tenant_usage
                          where tenant_id = tenants.id) as stored`,
  orders: sql<Figures>`
    select tenant_id as "tenantId", count(*)::float as events,
           count(*) filter (where type = 'order.placed')::float as orders
      from published_events where published_at >= ${YESTERDAY} group by tenant_id`,
  content: sql<Figures>`
    select tenant_id as "tenantId", count(*)::float as events
      from published_events where published_at >= ${YESTERDAY} group by tenant_id`,
  webhooks: sql<Figures>`
    select tenant_id as "tenantId", sum(attempts)::float as attempts, sum(waiting)::float as "deliveriesWaiting"
      from (select tenant_id, count(*) as attempts, 0 as waiting
              from attempts where at >= ${YESTERDAY} group by tenant_id
             union all
            select tenant_id, 0, count(*)
              from deliveries where status in ('pending', 'retrying') group by tenant_id) as counted
     group by tenant_id`,
};

export function addUsageCommand(program: Command, operator: Operator): void {
  program
    .command("usage")
    .description(
      "what each tenant uses, since the start of yesterday (UTC); who causes most work comes first",
    )
    .option("--top [n]", `only the first n, ${TOP} by default`, wholeNumber(1))
    .action(async ({ top }: { top?: number | true }) => {
      const rows = rank(await readFigures(operator)).slice(0, top === true ? TOP : top);
      operator.print(rows, table(rows, "There are no tenants."));
    });
}

async function readFigures(operator: Operator): Promise<ReadonlyMap<ServiceName, Figures[]>> {
  const statementTimeoutMs = STATEMENT_TIMEOUT_MS;
  const read = async (db: Kysely<Record<string, never>>, service: ServiceName) =>
    [service, (await STATEMENTS[service].execute(db)).rows] as const;
  return new Map(await operator.onEach(SERVICES, read, { statementTimeoutMs }));
}

/** By the work that they cause: requests, events and attempts. */
function rank(found: ReadonlyMap<ServiceName, Figures[]>): TenantUse[] {
  const rows = [...found]
    .flatMap(([, figures]) => figures)
    .filter((row) => row.tenantId !== CANARY_TENANT_ID);
  return [...Map.groupBy(rows, ({ tenantId }) => tenantId)]
    .map(([tenantId, ofTenant]): TenantUse => {
      const total = (figure: Figure) =>
        SOURCES[figure].some((service) => found.has(service))
          ? ofTenant.reduce((sum, row) => sum + (row[figure] ?? 0), 0)
          : null;
      return {
        ...{ tenantId, slug: ofTenant.find(({ slug }) => slug !== undefined)?.slug ?? null },
        ...{ requests: total("requests"), refused: total("refused"), orders: total("orders") },
        ...{ events: total("events"), deliveriesWaiting: total("deliveriesWaiting") },
        ...{ attempts: total("attempts"), mediaBytes: total("mediaBytes"), eventBytes: total("eventBytes") },
      };
    })
    .sort((a, b) => workOf(b) - workOf(a) || (a.tenantId < b.tenantId ? -1 : 1));
}

function workOf({ requests, events, attempts }: TenantUse): number {
  return (requests ?? 0) + (events ?? 0) + (attempts ?? 0);
}

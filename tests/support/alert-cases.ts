// Cases for each alert: series with which it fires, series with which it stays quiet, and no series of its metric. The values are
// one sample a minute in promtool's notation: `0+1x9` is 0 and nine steps of 1, `_x5` means no sample for five minutes.

export interface AlertCase {
  readonly alert: string;
  /** Completes a sentence that begins with the alert's name. */
  readonly what: string;
  /** Series in addition to `EVERY_SERVICE_UP`. An empty value removes a series. */
  readonly series: Readonly<Record<string, string>>;
  /** The time at which the alerts are evaluated. */
  readonly at: string;
  /** The labels of the alerts that fire; none by default. */
  readonly fires?: readonly Readonly<Record<string, string>>[];
}

const PAGE = { severity: "page" };
const TICKET = { severity: "ticket" };
const MISSING = { severity: "ticket", missing: "metric" };
const SERVICES = ["gateway", "orders", "content", "webhooks"];
const ofEach = (services: readonly string[], labels: Record<string, string>) =>
  services.map((service) => ({ ...labels, service }));

const up = (service: string) => `up{service="${service}", instance="${service}:1"}`;
export const EVERY_SERVICE_UP = Object.fromEntries(SERVICES.map((service) => [up(service), "1x600"]));

/** A gauge with one value that must stay at or below a limit. */
function gauge(
  alert: string,
  metric: string,
  {
    quiet,
    high,
    labels = {},
    at = "20m",
    fires,
  }: {
    quiet: string;
    high: string;
    labels?: Record<string, string>;
    at?: string;
    fires: Record<string, string>;
  },
  missing: readonly Record<string, string>[] = [MISSING],
): AlertCase[] {
  const series = (replica: number) =>
    `${metric}{${Object.entries({ ...labels, instance: `i:${replica}` })
      .map(([name, value]) => `${name}="${value}"`)
      .join(", ")}}`;
  const others = (what: string) =>
    Object.fromEntries(
      missing.flatMap(({ service, queue }) => {
        const of = service === undefined ? queue && `queue="${queue}"` : `service="${service}"`;
        return of === undefined ? [] : [[`${metric}{${of}${dependency(labels)}, instance="other"}`, what]];
      }),
    );
  return [
    {
      alert,
      what: "fires",
      series: { ...others(quiet), [series(1)]: high, [series(2)]: high },
      at,
      fires: [fires],
    },
    { alert, what: "stays quiet", series: { ...others(quiet), [series(1)]: quiet }, at },
    {
      alert,
      what: "does not fire for a moment",
      series: {
        ...others(quiet),
        [series(1)]: `${quiet.replace(/x\d+$/, "x14")} ${high.replace(/x\d+$/, "x0")} ${quiet}`,
      },
      at: "15m",
    },
    { alert, what: "notices the missing metric", series: {}, at: "40m", fires: missing },
  ];
}

function dependency({ dependency }: Record<string, string>): string {
  return dependency === undefined ? "" : `, dependency="${dependency}"`;
}

const REQUESTS = (status: string) =>
  `http_request_duration_seconds_count{service="gateway", status="${status}", instance="gateway:1"}`;
const FIRST = "webhooks_first_attempt_latency_seconds";
const firstAttempts = (held: string, all: string, inTime: string) => ({
  [`${FIRST}_count{held="${held}"}`]: all,
  [`${FIRST}_bucket{le="30", held="${held}"}`]: inTime,
});
const REFUSED = (reason: string) =>
  `signature_refused_total{service="orders", reason="${reason}", instance="orders:1"}`;
const NO_REFUSALS = Object.fromEntries(
  ["orders", "content", "webhooks"].map((service) => [
    `signature_refused_total{service="${service}", reason="missing", instance="${service}:1"}`,
    "0x600",
  ]),
);
const STARTED = (service: string) =>
  `process_start_time_seconds{service="${service}", instance="${service}:1"}`;
const STARTED_ONCE = Object.fromEntries(SERVICES.map((service) => [STARTED(service), "100x600"]));

const TALLIED = {
  events_unaccounted: "0x100",
  'events_missing{producer="content"}': "0x100",
  'events_untallied_seconds{producer="content"}': "0x100",
  'events_tally_age_seconds{producer="content"}': "120x100",
  'audit_entries_missing{producer="orders"}': "0x100",
  'audit_tally_age_seconds{producer="orders"}': "90x100",
};

export const ALERT_CASES: readonly AlertCase[] = [
  {
    alert: "TradepostServiceMissing",
    what: "stays quiet while every process is scraped",
    series: {},
    at: "20m",
  },
  {
    alert: "TradepostServiceMissing",
    what: "stays quiet during a restart",
    series: { [up("orders")]: "1x9 0 1x600" },
    at: "10m",
  },
  {
    alert: "TradepostServiceMissing",
    what: "pages when the only process is down, or has no target",
    series: { [up("orders")]: "1x4 0x600", [up("content")]: "" },
    at: "8m",
    fires: ofEach(["orders", "content"], PAGE),
  },
  {
    alert: "TradepostServiceMissing",
    what: "makes a ticket when one of two is down",
    series: { 'up{service="orders", instance="orders:2"}': "0x600" },
    at: "20m",
    fires: [{ ...TICKET, instance: "orders:2" }],
  },

  {
    alert: "TradepostApiErrors",
    what: "fires within minutes when many requests fail",
    series: { [REQUESTS("200")]: "0+600x600", [REQUESTS("503")]: "0x60 0+60x600" },
    at: "75m",
    fires: [PAGE],
  },
  {
    alert: "TradepostApiErrors",
    what: "fires when few fail for hours",
    series: { [REQUESTS("200")]: "0+600x600", [REQUESTS("502")]: "0+5x600" },
    at: "6h",
    fires: [PAGE],
  },
  {
    alert: "TradepostApiErrors",
    what: "stays quiet while one of 2,000 fails, whatever callers do wrong",
    series: {
      [REQUESTS("200")]: "0+600x600",
      [REQUESTS("503")]: "0+0.3x600",
      [REQUESTS("429")]: "0+600x600",
    },
    at: "6h",
  },
  {
    alert: "TradepostApiErrors",
    what: "stays quiet for a few failures in a quiet night",
    series: { [REQUESTS("200")]: "0x300 0+0.1x300", [REQUESTS("503")]: "0x340 0+1x3 3x300" },
    at: "6h",
  },
  {
    alert: "TradepostApiErrors",
    what: "notices that no gateway is scraped",
    series: { [up("gateway")]: "0x600" },
    at: "20m",
    fires: [MISSING],
  },

  {
    alert: "TradepostServiceRestarting",
    what: "fires for a process that starts again and again",
    series: { ...STARTED_ONCE, [STARTED("orders")]: "100 160 220 280 340x600" },
    at: "10m",
    fires: [{ ...TICKET, service: "orders" }],
  },
  {
    alert: "TradepostServiceRestarting",
    what: "stays quiet for a deployment",
    series: { ...STARTED_ONCE, [STARTED("orders")]: "100x5 500x600" },
    at: "10m",
  },
  {
    alert: "TradepostServiceRestarting",
    what: "notices the missing metric",
    series: { ...STARTED_ONCE, [STARTED("orders")]: "" },
    at: "20m",
    fires: [{ ...MISSING, service: "orders" }],
  },

  {
    alert: "TradepostSignaturesRefused",
    what: "fires when the clocks or the secrets differ",
    series: { ...NO_REFUSALS, [REFUSED("clock")]: "0x5 0+5x600", [REFUSED("mismatch")]: "0x600" },
    at: "10m",
    fires: [{ ...TICKET, service: "orders", reason: "clock" }],
  },
  {
    alert: "TradepostSignaturesRefused",
    what: "stays quiet for requests that did not come through the gateway, and for one that was repeated",
    series: { ...NO_REFUSALS, [REFUSED("missing")]: "0+10x600", [REFUSED("expired")]: "0x5 1x600" },
    at: "10m",
  },
  {
    alert: "TradepostSignaturesRefused",
    what: "notices the missing metric",
    series: {},
    at: "20m",
    fires: ofEach(["orders", "content", "webhooks"], MISSING),
  },

  ...gauge("TradepostDeliveriesLate", "webhooks_oldest_waiting_seconds", {
    quiet: "500x60",
    high: "700x60",
    fires: PAGE,
  }),
  {
    alert: "TradepostFirstAttemptsSlow",
    what: "fires within minutes when most are late",
    series: firstAttempts("no", "0+60x600", "0+60x30 1800+6x600"),
    at: "60m",
    fires: [PAGE],
  },
  {
    alert: "TradepostFirstAttemptsSlow",
    what: "stays quiet while one of 200 is late",
    series: firstAttempts("no", "0+200x600", "0+199x600"),
    at: "6h",
  },
  {
    alert: "TradepostFirstAttemptsSlow",
    what: "stays quiet while one endpoint hangs and returns, and the others get theirs in time",
    series: {
      ...firstAttempts("no", "0+120x600", "0+120x600"),
      // It hangs for 7 minutes, and then gets all of them late.
      ...firstAttempts("endpoint", "0+6x30 180+840x10 8580+0x600", "0+1x600"),
    },
    at: "42m",
  },
  {
    alert: "TradepostFirstAttemptsSlow",
    what: "fires when the attempts that nothing held are late while an endpoint returns",
    series: {
      ...firstAttempts("no", "0+120x600", "0+120x30 3600+60x600"),
      ...firstAttempts("endpoint", "0+840x600", "0+840x600"),
    },
    at: "60m",
    fires: [PAGE],
  },
  {
    alert: "TradepostFirstAttemptsSlow",
    what: "notices the missing metric",
    series: {},
    at: "20m",
    fires: [MISSING],
  },
  {
    alert: "TradepostEndpointsFailing",
    what: "fires when more than a quarter fail",
    series: {
      'webhooks_endpoints{health="failing"}': "30x60",
      'webhooks_endpoints{health="healthy"}': "60x60",
    },
    at: "20m",
    fires: [PAGE],
  },
  {
    alert: "TradepostEndpointsFailing",
    what: "stays quiet for the endpoints of a few tenants",
    series: {
      'webhooks_endpoints{health="failing"}': "30x60",
      'webhooks_endpoints{health="healthy"}': "160x60",
    },
    at: "20m",
  },
  {
    alert: "TradepostEndpointsFailing",
    what: "stays quiet where there are only few endpoints",
    series: {
      'webhooks_endpoints{health="failing"}': "2x60",
      'webhooks_endpoints{health="healthy"}': "0x60",
    },
    at: "20m",
  },
  {
    alert: "TradepostEndpointsFailing",
    what: "notices the missing metric",
    series: {},
    at: "20m",
    fires: [MISSING],
  },
  {
    alert: "TradepostDeadLettersGrowing",
    what: "fires when deliveries fail for good",
    series: { webhooks_dead_letters: "5x60 5+1x60" },
    at: "90m",
    fires: [TICKET],
  },
  {
    alert: "TradepostDeadLettersGrowing",
    what: "stays quiet for those that are known",
    series: { webhooks_dead_letters: "500x200" },
    at: "90m",
  },
  {
    alert: "TradepostDeadLettersGrowing",
    what: "notices the missing metric",
    series: {},
    at: "20m",
    fires: [MISSING],
  },
  {
    alert: "TradepostSealingFailing",
    what: "fires",
    series: { 'webhooks_sealing_failures_total{instance="webhooks:2"}': "0x10 0+1x600" },
    at: "15m",
    fires: [{ ...TICKET, instance: "webhooks:2" }],
  },
  {
    alert: "TradepostSealingFailing",
    what: "stays quiet after it is mended",
    series: { 'webhooks_sealing_failures_total{instance="webhooks:2"}': "0x10 0+1x5 5x600" },
    at: "60m",
  },
  {
    alert: "TradepostSealingFailing",
    what: "notices the missing metric",
    series: {},
    at: "20m",
    fires: [MISSING],
  },

  ...gauge("TradepostCanaryLate", "canary_age_seconds", { quiet: "40x60", high: "300x60", fires: PAGE }),
  ...gauge("TradepostEventsLost", "events_unaccounted", {
    quiet: "0x60",
    high: "3x60",
    fires: { ...PAGE, kind: "unaccounted" },
  }),
  {
    alert: "TradepostEventsLost",
    what: "fires when published events did not arrive",
    series: { ...TALLIED, 'events_missing{producer="content"}': "0x5 60x60" },
    at: "10m",
    fires: [{ ...PAGE, producer: "content" }],
  },
  {
    alert: "TradepostEventsLost",
    what: "fires when nobody knows whether they arrived",
    series: { ...TALLIED, 'events_untallied_seconds{producer="content"}': "0x5 60x60" },
    at: "10m",
    fires: [{ ...PAGE, producer: "content" }],
  },
  {
    alert: "TradepostEventsLost",
    what: "makes a ticket when audit entries did not arrive",
    series: { ...TALLIED, 'audit_entries_missing{producer="orders"}': "0x5 2x60" },
    at: "10m",
    fires: [{ ...TICKET, kind: "audit", producer: "orders" }],
  },
  { alert: "TradepostEventsLost", what: "stays quiet while all arrive", series: TALLIED, at: "40m" },
  {
    alert: "TradepostEventsLost",
    what: "notices that no audit entries are compared any more",
    series: { ...TALLIED, 'audit_tally_age_seconds{producer="orders"}': "3600x100" },
    at: "40m",
    fires: [MISSING],
  },
  {
    alert: "TradepostEventsLost",
    what: "notices that nothing is compared any more",
    series: { ...TALLIED, 'events_tally_age_seconds{producer="content"}': "3600x100" },
    at: "40m",
    fires: [MISSING],
  },
  ...gauge(
    "TradepostOutboxOld",
    "outbox_oldest_seconds",
    { quiet: "1x60", high: "300x60", labels: { service: "orders" }, fires: { ...PAGE, service: "orders" } },
    ofEach(SERVICES, MISSING),
  ),
  ...gauge(
    "TradepostOutboxParked",
    "outbox_parked",
    { quiet: "0x60", high: "2x60", labels: { service: "orders" }, fires: { ...TICKET, service: "orders" } },
    ofEach(SERVICES, MISSING),
  ).filter(({ what }) => what !== "does not fire for a moment"),
  ...gauge(
    "TradepostPoisonMessages",
    "poison_messages",
    {
      quiet: "0x60",
      high: "2x60",
      labels: { queue: "webhooks.poison" },
      fires: { ...TICKET, queue: "webhooks.poison" },
    },
    ["webhooks.poison", "gateway.audit.poison", "content.poison"].map((queue) => ({ ...MISSING, queue })),
  ).filter(({ what }) => what !== "does not fire for a moment"),

  {
    alert: "TradepostArchiveFailing",
    what: "fires",
    series: { 'postgres_archive_failing{service="orders"}': "1x60" },
    at: "20m",
    fires: [{ ...TICKET, service: "orders" }],
  },
  {
    alert: "TradepostArchiveFailing",
    what: "stays quiet where nothing was ever archived, and where all is",
    series: { 'postgres_archive_failing{service="orders"}': "0x60" },
    at: "20m",
  },
  {
    alert: "TradepostArchiveFailing",
    what: "notices a server that archives no more",
    series: { 'postgres_archive_failing{service="orders"}': "0x10 _x60" },
    at: "60m",
    fires: [{ ...MISSING, service: "orders" }],
  },
  {
    alert: "TradepostBaseBackupOld",
    what: "fires after two days without one",
    series: { 'postgres_base_backup_age_seconds{service="orders"}': "172000+60x90" },
    at: "85m",
    fires: [{ ...TICKET, service: "orders" }],
  },
  {
    alert: "TradepostBaseBackupOld",
    what: "notices that it is measured no more",
    series: { 'postgres_base_backup_age_seconds{service="orders"}': "0x10 _x60" },
    at: "60m",
    fires: [{ ...MISSING, service: "orders" }],
  },
  {
    alert: "TradepostBaseBackupOld",
    what: "stays quiet with one a day",
    series: { 'postgres_base_backup_age_seconds{service="orders"}': "86400+60x90" },
    at: "85m",
  },
  ...gauge(
    "TradepostDatabaseUnavailable",
    "dependency_up",
    {
      quiet: "1x60",
      high: "0x60",
      labels: { service: "orders", dependency: "database" },
      fires: { ...PAGE, service: "orders" },
    },
    ofEach(SERVICES, MISSING),
  ),
  {
    alert: "TradepostDatabaseUnavailable",
    what: "fires while the database refuses changes most of the time",
    series: {
      ...Object.fromEntries(
        SERVICES.map((service) => [`dependency_up{service="${service}", dependency="database"}`, "1x60"]),
      ),
      'database_refuses_changes{service="orders", reason="database_full"}': "1 0 1 0 1 0 1",
    },
    at: "6m",
    fires: [{ ...PAGE, service: "orders" }],
  },
  ...gauge(
    "TradepostDatabasePoolExhausted",
    "postgres_pool_waiting",
    { quiet: "0x60", high: "9x60", labels: { service: "orders" }, fires: { ...TICKET, service: "orders" } },
    ofEach(SERVICES, MISSING),
  ),
  ...gauge(
    "TradepostBrokerDisconnected",
    "broker_connected",
    {
      quiet: "1x60",
      high: "0x60",
      labels: { service: "orders", role: "relay" },
      fires: { ...PAGE, service: "orders", reason: "not_reached" },
    },
    ofEach(SERVICES, MISSING),
  ),
  {
    alert: "TradepostBrokerDisconnected",
    what: "fires once for a service whose connections are refused",
    series: {
      ...Object.fromEntries(
        SERVICES.map((service) => [`broker_connected{service="${service}", role="relay"}`, "1x60"]),
      ),
      'broker_connected{service="webhooks", role="relay"}': "0x60",
      'broker_connected{service="webhooks", role="fan-out"}': "0x60",
      'broker_refused{service="webhooks"}': "2x60",
    },
    at: "20m",
    fires: [{ ...PAGE, service: "webhooks", reason: "refused" }],
  },
  ...gauge(
    "TradepostBrokerBlocked",
    "broker_blocked",
    { quiet: "0x60", high: "1x60", labels: { service: "orders" }, fires: { ...TICKET, service: "orders" } },
    ofEach(SERVICES, MISSING),
  ),
];

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

/** What happens, the time of the evaluation, the series, and the labels of the alerts that fire. */
type Row = [what: string, at: string, series: AlertCase["series"], fires?: NonNullable<AlertCase["fires"]>];

function casesOf(alert: string, rows: readonly Row[]): AlertCase[] {
  return rows.map(([what, at, series, fires = []]) => ({ alert, what, at, series, fires }));
}

const endpoints = (failing: string, healthy: string) => ({
  'webhooks_endpoints{health="failing"}': failing,
  'webhooks_endpoints{health="healthy"}': healthy,
});
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
  ...casesOf("TradepostServiceMissing", [
    ["stays quiet while every process is scraped", "20m", {}],
    ["stays quiet during a restart", "10m", { [up("orders")]: "1x9 0 1x600" }],
    [
      "pages when the only process is down, or has no target",
      "8m",
      { [up("orders")]: "1x4 0x600", [up("content")]: "" },
      ofEach(["orders", "content"], PAGE),
    ],
    [
      "makes a ticket when one of two is down",
      "20m",
      { 'up{service="orders", instance="orders:2"}': "0x600" },
      [{ ...TICKET, instance: "orders:2" }],
    ],
  ]),
  ...casesOf("TradepostApiErrors", [
    [
      "fires within minutes when many requests fail",
      "75m",
      { [REQUESTS("200")]: "0+600x600", [REQUESTS("503")]: "0x60 0+60x600" },
      [PAGE],
    ],
    [
      "fires when few fail for hours",
      "6h",
      { [REQUESTS("200")]: "0+600x600", [REQUESTS("502")]: "0+5x600" },
      [PAGE],
    ],
    [
      "stays quiet while one of 2,000 fails, whatever callers do wrong",
      "6h",
      {
        [REQUESTS("200")]: "0+600x600",
        [REQUESTS("503")]: "0+0.3x600",
        [REQUESTS("429")]: "0+600x600",
      },
    ],
    [
      "stays quiet for a few failures in a quiet night",
      "6h",
      { [REQUESTS("200")]: "0x300 0+0.1x300", [REQUESTS("503")]: "0x340 0+1x3 3x300" },
    ],
    ["notices that no gateway is scraped", "20m", { [up("gateway")]: "0x600" }, [MISSING]],
  ]),
  ...casesOf("TradepostServiceRestarting", [
    [
      "fires for a process that starts again and again",
      "10m",
      { ...STARTED_ONCE, [STARTED("orders")]: "100 160 220 280 340x600" },
      [{ ...TICKET, service: "orders" }],
    ],
    ["stays quiet for a deployment", "10m", { ...STARTED_ONCE, [STARTED("orders")]: "100x5 500x600" }],
    [
      "notices the missing metric",
      "20m",
      { ...STARTED_ONCE, [STARTED("orders")]: "" },
      [{ ...MISSING, service: "orders" }],
    ],
  ]),
  ...casesOf("TradepostSignaturesRefused", [
    [
      "fires when the clocks or the secrets differ",
      "10m",
      { ...NO_REFUSALS, [REFUSED("clock")]: "0x5 0+5x600", [REFUSED("mismatch")]: "0x600" },
      [{ ...TICKET, service: "orders", reason: "clock" }],
    ],
    [
      "stays quiet for requests that did not come through the gateway, and for one that was repeated",
      "10m",
      { ...NO_REFUSALS, [REFUSED("missing")]: "0+10x600", [REFUSED("expired")]: "0x5 1x600" },
    ],
    ["notices the missing metric", "20m", {}, ofEach(["orders", "content", "webhooks"], MISSING)],
  ]),
  ...gauge("TradepostDeliveriesLate", "webhooks_oldest_waiting_seconds", {
    quiet: "500x60",
    high: "700x60",
    fires: PAGE,
  }),
  ...casesOf("TradepostFirstAttemptsSlow", [
    [
      "fires within minutes when most are late",
      "60m",
      firstAttempts("no", "0+60x600", "0+60x30 1800+6x600"),
      [PAGE],
    ],
    ["stays quiet while one of 200 is late", "6h", firstAttempts("no", "0+200x600", "0+199x600")],
    [
      "stays quiet while one endpoint hangs and returns, and the others get theirs in time",
      "42m",
      {
        ...firstAttempts("no", "0+120x600", "0+120x600"),
        // It hangs for 7 minutes, and then gets all of them late.
        ...firstAttempts("endpoint", "0+6x30 180+840x10 8580+0x600", "0+1x600"),
      },
    ],
    [
      "fires when the attempts that nothing held are late while an endpoint returns",
      "60m",
      {
        ...firstAttempts("no", "0+120x600", "0+120x30 3600+60x600"),
        ...firstAttempts("endpoint", "0+840x600", "0+840x600"),
      },
      [PAGE],
    ],
    ["notices the missing metric", "20m", {}, [MISSING]],
  ]),
  ...casesOf("TradepostEndpointsFailing", [
    ["fires when more than a quarter fail", "20m", endpoints("30x60", "60x60"), [PAGE]],
    ["stays quiet for the endpoints of a few tenants", "20m", endpoints("30x60", "160x60")],
    ["stays quiet where there are only few endpoints", "20m", endpoints("2x60", "0x60")],
    ["notices the missing metric", "20m", {}, [MISSING]],
  ]),
  ...casesOf("TradepostDeadLettersGrowing", [
    ["fires when deliveries fail for good", "90m", { webhooks_dead_letters: "5x60 5+1x60" }, [TICKET]],
    ["stays quiet for those that are known", "90m", { webhooks_dead_letters: "500x200" }],
    ["notices the missing metric", "20m", {}, [MISSING]],
  ]),
  ...casesOf("TradepostSealingFailing", [
    [
      "fires",
      "15m",
      { 'webhooks_sealing_failures_total{instance="webhooks:2"}': "0x10 0+1x600" },
      [{ ...TICKET, instance: "webhooks:2" }],
    ],
    [
      "stays quiet after it is mended",
      "60m",
      { 'webhooks_sealing_failures_total{instance="webhooks:2"}': "0x10 0+1x5 5x600" },
    ],
    ["notices the missing metric", "20m", {}, [MISSING]],
  ]),
  ...gauge("TradepostCanaryLate", "canary_age_seconds", { quiet: "40x60", high: "300x60", fires: PAGE }),
  ...gauge("TradepostEventsLost", "events_unaccounted", {
    quiet: "0x60",
    high: "3x60",
    fires: { ...PAGE, kind: "unaccounted" },
  }),
  ...casesOf("TradepostEventsLost", [
    [
      "fires when published events did not arrive",
      "10m",
      { ...TALLIED, 'events_missing{producer="content"}': "0x5 60x60" },
      [{ ...PAGE, producer: "content" }],
    ],
    [
      "fires when nobody knows whether they arrived",
      "10m",
      { ...TALLIED, 'events_untallied_seconds{producer="content"}': "0x5 60x60" },
      [{ ...PAGE, producer: "content" }],
    ],
    [
      "makes a ticket when audit entries did not arrive",
      "10m",
      { ...TALLIED, 'audit_entries_missing{producer="orders"}': "0x5 2x60" },
      [{ ...TICKET, kind: "audit", producer: "orders" }],
    ],
    ["stays quiet while all arrive", "40m", TALLIED],
    [
      "notices that no audit entries are compared any more",
      "40m",
      { ...TALLIED, 'audit_tally_age_seconds{producer="orders"}': "3600x100" },
      [MISSING],
    ],
    [
      "notices that nothing is compared any more",
      "40m",
      { ...TALLIED, 'events_tally_age_seconds{producer="content"}': "3600x100" },
      [MISSING],
    ],
  ]),
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
  ...casesOf("TradepostArchiveFailing", [
    [
      "fires",
      "20m",
      { 'postgres_archive_failing{service="orders"}': "1x60" },
      [{ ...TICKET, service: "orders" }],
    ],
    [
      "stays quiet where nothing was ever archived, and where all is",
      "20m",
      { 'postgres_archive_failing{service="orders"}': "0x60" },
    ],
    [
      "notices a server that archives no more",
      "60m",
      { 'postgres_archive_failing{service="orders"}': "0x10 _x60" },
      [{ ...MISSING, service: "orders" }],
    ],
  ]),
  ...casesOf("TradepostBaseBackupOld", [
    [
      "fires after two days without one",
      "85m",
      { 'postgres_base_backup_age_seconds{service="orders"}': "172000+60x90" },
      [{ ...TICKET, service: "orders" }],
    ],
    [
      "notices that it is measured no more",
      "60m",
      { 'postgres_base_backup_age_seconds{service="orders"}': "0x10 _x60" },
      [{ ...MISSING, service: "orders" }],
    ],
    [
      "stays quiet with one a day",
      "85m",
      { 'postgres_base_backup_age_seconds{service="orders"}': "86400+60x90" },
    ],
  ]),
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
  ...casesOf("TradepostDatabaseUnavailable", [
    [
      "fires while the database refuses changes most of the time",
      "6m",
      {
        ...Object.fromEntries(
          SERVICES.map((service) => [`dependency_up{service="${service}", dependency="database"}`, "1x60"]),
        ),
        'database_refuses_changes{service="orders", reason="database_full"}': "1 0 1 0 1 0 1",
      },
      [{ ...PAGE, service: "orders" }],
    ],
  ]),
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
  ...casesOf("TradepostBrokerDisconnected", [
    [
      "fires once for a service whose connections are refused",
      "20m",
      {
        ...Object.fromEntries(
          SERVICES.map((service) => [`broker_connected{service="${service}", role="relay"}`, "1x60"]),
        ),
        'broker_connected{service="webhooks", role="relay"}': "0x60",
        'broker_connected{service="webhooks", role="fan-out"}': "0x60",
        'broker_refused{service="webhooks"}': "2x60",
      },
      [{ ...PAGE, service: "webhooks", reason: "refused" }],
    ],
  ]),
  ...gauge(
    "TradepostBrokerBlocked",
    "broker_blocked",
    { quiet: "0x60", high: "1x60", labels: { service: "orders" }, fires: { ...TICKET, service: "orders" } },
    ofEach(SERVICES, MISSING),
  ),
];

// Cases for each alert: series with which it fires, series with which it stays quiet, and no series of its metric. The values are
// one sample a minute in promtool's notation: `0+1x9` is 0 and nine steps of 1, `_x5` means no sample for five minutes.

type Labels = Readonly<Record<string, string>>;

export interface AlertCase {
  readonly alert: string;
  /** Completes a sentence that begins with the alert's name. */
  readonly what: string;
  /** Series in addition to `EVERY_SERVICE_UP`. An empty value removes a series. */
  readonly series: Labels;
  /** The time at which the alerts are evaluated. */
  readonly at: string;
  /** The labels of the alerts that fire; none by default. */
  readonly fires?: readonly Labels[];
}

const PAGE = { severity: "page" };
const TICKET = { severity: "ticket" };
const MISSING = { severity: "ticket", missing: "metric" };
const ORDERS = { service: "orders" };
const [PAGE_ORDERS, TICKET_ORDERS] = [
  { ...PAGE, ...ORDERS },
  { ...TICKET, ...ORDERS },
];
const SERVICES = ["gateway", "orders", "content", "webhooks"];
const ofEach = (services: readonly string[], labels: Record<string, string>) =>
  services.map((service) => ({ ...labels, service }));

const up = (service: string) => `up{service="${service}", instance="${service}:1"}`;
export const EVERY_SERVICE_UP = Object.fromEntries(SERVICES.map((service) => [up(service), "1x600"]));

/** What happens, the time of the evaluation, the series, and the labels of the alerts that fire. */
type Row = [what: string, at: string, series: AlertCase["series"], fires?: readonly Labels[]];

function casesOf(alert: string, rows: readonly Row[]): AlertCase[] {
  return rows.map(([what, at, series, fires = []]) => ({ alert, what, at, series, fires }));
}

interface GaugeOptions {
  readonly labels?: Labels;
  /** The labels of the alerts about the missing metric. */
  readonly missing?: readonly Labels[];
  readonly firesAtOnce?: true;
}

/** A gauge with one value that must stay at or below a limit, or at or above one. */
function gauge(
  alert: string,
  metric: string,
  [quiet, high]: readonly [quiet: string, high: string],
  fires: Labels,
  { labels = {}, missing = [MISSING], firesAtOnce }: GaugeOptions = {},
): AlertCase[] {
  const nameOf = (ofSeries: Labels) =>
    `${metric}{${Object.entries(ofSeries)
      .map(([name, value]) => `${name}="${value}"`)
      .join(", ")}}`;
  const series = (replica: number) => nameOf({ ...labels, instance: `i:${replica}` });
  const others = Object.fromEntries(
    missing.flatMap(({ severity: _, missing: __, ...of }) =>
      Object.keys(of).length === 0 ? [] : [[nameOf({ ...labels, ...of, instance: "other" }), quiet]],
    ),
  );
  const moment = `${quiet.replace(/x\d+$/, "x14")} ${high.replace(/x\d+$/, "x0")} ${quiet}`;
  return casesOf(alert, [
    ["fires", "20m", { ...others, [series(1)]: high, [series(2)]: high }, [fires]],
    ["stays quiet", "20m", { ...others, [series(1)]: quiet }],
    ...(firesAtOnce
      ? []
      : [["does not fire for a moment", "15m", { ...others, [series(1)]: moment }] as Row]),
    ["notices the missing metric", "40m", {}, missing],
  ]);
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

const tallied = (changed: Labels = {}): Labels => ({
  events_unaccounted: "0x100",
  'events_missing{producer="content"}': "0x100",
  'events_untallied_seconds{producer="content"}': "0x100",
  'events_tally_age_seconds{producer="content"}': "120x100",
  'audit_entries_missing{producer="orders"}': "0x100",
  'audit_tally_age_seconds{producer="orders"}': "90x100",
  ...changed,
});
const OF_ORDERS = { labels: ORDERS, missing: ofEach(SERVICES, MISSING) };
const POISON = { queue: "webhooks.poison" };
const NOT_REACHED = { ...PAGE_ORDERS, reason: "not_reached" };
const SEALING = 'webhooks_sealing_failures_total{instance="webhooks:2"}';
const ARCHIVE = 'postgres_archive_failing{service="orders"}';
const BACKUP_AGE = 'postgres_base_backup_age_seconds{service="orders"}';
const ORDERS_MISSING = [{ ...MISSING, ...ORDERS }];
const ofServices = (metric: string, label: string) =>
  Object.fromEntries(SERVICES.map((service) => [`${metric}{service="${service}", ${label}}`, "1x60"]));

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
      [TICKET_ORDERS],
    ],
    ["stays quiet for a deployment", "10m", { ...STARTED_ONCE, [STARTED("orders")]: "100x5 500x600" }],
    ["notices the missing metric", "20m", { ...STARTED_ONCE, [STARTED("orders")]: "" }, ORDERS_MISSING],
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
  ...gauge("TradepostDeliveriesLate", "webhooks_oldest_waiting_seconds", ["500x60", "700x60"], PAGE),
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
        // The endpoint hangs for 7 minutes, and then gets all attempts late.
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
    ["fires", "15m", { [SEALING]: "0x10 0+1x600" }, [{ ...TICKET, instance: "webhooks:2" }]],
    ["stays quiet after it is mended", "60m", { [SEALING]: "0x10 0+1x5 5x600" }],
    ["notices the missing metric", "20m", {}, [MISSING]],
  ]),
  ...gauge("TradepostCanaryLate", "canary_age_seconds", ["40x60", "300x60"], PAGE),
  ...gauge("TradepostEventsLost", "events_unaccounted", ["0x60", "3x60"], { ...PAGE, kind: "unaccounted" }),
  ...casesOf("TradepostEventsLost", [
    [
      "fires when published events did not arrive",
      "10m",
      tallied({ 'events_missing{producer="content"}': "0x5 60x60" }),
      [{ ...PAGE, producer: "content" }],
    ],
    [
      "fires when nobody knows whether they arrived",
      "10m",
      tallied({ 'events_untallied_seconds{producer="content"}': "0x5 60x60" }),
      [{ ...PAGE, producer: "content" }],
    ],
    [
      "makes a ticket when audit entries did not arrive",
      "10m",
      tallied({ 'audit_entries_missing{producer="orders"}': "0x5 2x60" }),
      [{ ...TICKET, kind: "audit", producer: "orders" }],
    ],
    ["stays quiet while all arrive", "40m", tallied()],
    [
      "notices that no audit entries are compared any more",
      "40m",
      tallied({ 'audit_tally_age_seconds{producer="orders"}': "3600x100" }),
      [MISSING],
    ],
    [
      "notices that nothing is compared any more",
      "40m",
      tallied({ 'events_tally_age_seconds{producer="content"}': "3600x100" }),
      [MISSING],
    ],
  ]),
  ...gauge("TradepostOutboxOld", "outbox_oldest_seconds", ["1x60", "300x60"], PAGE_ORDERS, OF_ORDERS),
  ...gauge("TradepostOutboxParked", "outbox_parked", ["0x60", "2x60"], TICKET_ORDERS, {
    ...OF_ORDERS,
    firesAtOnce: true,
  }),
  ...gauge(
    "TradepostPoisonMessages",
    "poison_messages",
    ["0x60", "2x60"],
    { ...TICKET, ...POISON },
    {
      labels: POISON,
      firesAtOnce: true,
      missing: [POISON.queue, "gateway.audit.poison", "content.poison"].map((queue) => ({
        ...MISSING,
        queue,
      })),
    },
  ),
  ...casesOf("TradepostArchiveFailing", [
    ["fires", "20m", { [ARCHIVE]: "1x60" }, [TICKET_ORDERS]],
    ["stays quiet where nothing was ever archived, and where all is", "20m", { [ARCHIVE]: "0x60" }],
    ["notices a server that archives no more", "60m", { [ARCHIVE]: "0x10 _x60" }, ORDERS_MISSING],
  ]),
  ...casesOf("TradepostBaseBackupOld", [
    ["fires after two days without one", "85m", { [BACKUP_AGE]: "172000+60x90" }, [TICKET_ORDERS]],
    ["notices that it is measured no more", "60m", { [BACKUP_AGE]: "0x10 _x60" }, ORDERS_MISSING],
    ["stays quiet with one a day", "85m", { [BACKUP_AGE]: "86400+60x90" }],
  ]),
  ...gauge("TradepostDatabaseUnavailable", "dependency_up", ["1x60", "0x60"], PAGE_ORDERS, {
    ...OF_ORDERS,
    labels: { ...ORDERS, dependency: "database" },
  }),
  ...casesOf("TradepostDatabaseUnavailable", [
    [
      "fires while the database refuses changes most of the time",
      "6m",
      {
        ...ofServices("dependency_up", 'dependency="database"'),
        'database_refuses_changes{service="orders", reason="database_full"}': "1 0 1 0 1 0 1",
      },
      [PAGE_ORDERS],
    ],
  ]),
  ...gauge(
    "TradepostDatabasePoolExhausted",
    "postgres_pool_waiting",
    ["0x60", "9x60"],
    TICKET_ORDERS,
    OF_ORDERS,
  ),
  ...gauge("TradepostBrokerDisconnected", "broker_connected", ["1x60", "0x60"], NOT_REACHED, {
    ...OF_ORDERS,
    labels: { ...ORDERS, role: "relay" },
  }),
  ...casesOf("TradepostBrokerDisconnected", [
    [
      "fires once for a service whose connections are refused",
      "20m",
      {
        ...ofServices("broker_connected", 'role="relay"'),
        'broker_connected{service="webhooks", role="relay"}': "0x60",
        'broker_connected{service="webhooks", role="fan-out"}': "0x60",
        'broker_refused{service="webhooks"}': "2x60",
      },
      [{ ...PAGE, service: "webhooks", reason: "refused" }],
    ],
  ]),
  ...gauge("TradepostBrokerBlocked", "broker_blocked", ["0x60", "1x60"], TICKET_ORDERS, OF_ORDERS),
];

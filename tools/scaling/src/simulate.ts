// What a load takes, where the next bottleneck is, and how many cells remove it. Pure.
import type { Assumptions } from "./assumptions.ts";
import { IDLE_CPU, OF_A_PROCESS, PROGRAMS, type ProgramName, UNIT_COSTS, type Unit } from "./unit-costs.ts";

/** One thing that cannot simply be had twice within a cell. */
export interface Limit {
  readonly name: string;
  readonly used: number;
  readonly max: number;
  readonly unit: string;
}

export interface Plan {
  readonly scale: number;
  /** Cores in use at the peak, by program. */
  readonly cores: Readonly<Record<ProgramName, number>>;
  /** Processes of each service, at least two, over all cells. */
  readonly replicas: Readonly<Record<"gateway" | "orders" | "content" | "webhooks", number>>;
  /** Events that the services publish, each second. */
  readonly events: number;
  /** What all primaries write ahead. */
  readonly walMegabytes: number;
  /** What the services may open to all databases, at most. */
  readonly connections: number;
  /** What the services take. */
  readonly memoryGigabytes: number;
  /** Of the primaries. */
  readonly storedGigabytes: number;
  /** What one cell could take, and what all of the load uses of it, the nearest limit first. */
  readonly limits: readonly Limit[];
  /** How many copies of everything behind the gateway are needed, so that no limit is passed. */
  readonly cells: number;
  /** With standbys and three brokers in each cell. */
  readonly coresBought: number;
  readonly pricePerMonth: number;
}

const SECONDS_PER_DAY = 86_400;
const HOURS_PER_MONTH = 730;
const SERVICES = ["gateway", "orders", "content", "webhooks"] as const;
const DATABASES = PROGRAMS.filter((name) => name.startsWith("postgres"));
/** A process of Node uses one core for JavaScript, and a little more for the rest. */
const CORES_OF_A_PROCESS = 1;
const ATTEMPTS_AT_A_TIME = 200;
const [STANDBYS, BROKERS] = [1, 3];

/** `scale` multiplies the load of the assumptions. */
export function simulate(scale: number, assumptions: Assumptions): Plan {
  const rates = ratesOf(scale, assumptions);
  const cores = coresOf(rates, assumptions);
  const limits = limitsOf(rates, cores, assumptions).sort((one, other) => shareOf(other) - shareOf(one));
  const cells = Math.max(1, Math.ceil(shareOf(limits[0] as Limit)));
  const replicas = replicasOf(rates, cores, cells, assumptions);
  const storedGigabytes = sum(DATABASES.map((name) => storedOf(name, rates, assumptions))) / 1e9;
  const walMegabytes = sum(DATABASES.map((name) => walOf(name, rates))) / 1e6;
  const processes = sum(Object.values(replicas));
  const coresBought = boughtOf(cores, replicas, cells, assumptions);
  return {
    ...{ scale, cores, replicas, storedGigabytes, walMegabytes, limits, cells, coresBought },
    events: rates.order + rates.contentChange,
    connections: sum(SERVICES.map((name) => replicas[name] * OF_A_PROCESS.connections[name])),
    memoryGigabytes: processes * OF_A_PROCESS.gigabytes,
    pricePerMonth:
      coresBought * HOURS_PER_MONTH * assumptions.corePerHour +
      storedGigabytes * (1 + STANDBYS) * assumptions.gigabytePerMonth,
  };
}

type Rates = Readonly<Record<Unit, number>>;

function ratesOf(scale: number, { orders, contentChanges, reads, webhooks, attempts }: Assumptions): Rates {
  const events = (orders + contentChanges) * scale;
  return {
    order: orders * scale,
    contentChange: contentChanges * scale,
    webhook: events * webhooks * attempts,
    read: reads * scale,
  };
}

/** Of all units, the sum of what `costOf` returns for one, times its rate. */
function total(rates: Rates, costOf: (unit: Unit) => number): number {
  return sum((Object.keys(rates) as Unit[]).map((unit) => rates[unit] * costOf(unit)));
}

function coresOf(rates: Rates, { spread }: Assumptions): Record<ProgramName, number> {
  const entries = PROGRAMS.map((name) => {
    const cpuMs = spread * total(rates, (unit) => UNIT_COSTS[unit].cpu[name] ?? 0) + (IDLE_CPU[name] ?? 0);
    return [name, cpuMs / 1_000];
  });
  return Object.fromEntries(entries) as Record<ProgramName, number>;
}

function storedOf(database: ProgramName, rates: Rates, { averageShare, years }: Assumptions): number {
  return total(rates, (unit) => {
    const { stored, keptDays } = UNIT_COSTS[unit];
    const seconds = (keptDays ?? years * 365) * SECONDS_PER_DAY;
    return (stored[database] ?? 0) * seconds * averageShare;
  });
}

function walOf(database: ProgramName, rates: Rates): number {
  return total(rates, (unit) => UNIT_COSTS[unit].wal[database] ?? 0);
}

function limitsOf(rates: Rates, cores: Plan["cores"], assumptions: Assumptions): Limit[] {
  const { busyShare, postgresCores, walMegabytes, storedGigabytes, queueMessages, relayEvents } = assumptions;
  const ofDatabases = DATABASES.flatMap((name): Limit[] => [
    { name: `processor of ${name}`, used: cores[name], max: postgresCores * busyShare, unit: "cores" },
    {
      name: `write-ahead log of ${name}`,
      used: walOf(name, rates) / 1e6,
      max: walMegabytes,
      unit: "MB/s",
    },
    {
      name: `disk of ${name}`,
      used: storedOf(name, rates, assumptions) / 1e9,
      max: storedGigabytes,
      unit: "GB",
    },
  ]);
  const events = rates.order + rates.contentChange;
  return [
    ...ofDatabases,
    { name: "queue webhooks.events", used: events, max: queueMessages, unit: "messages/s" },
    {
      name: "relay of the busiest service",
      used: Math.max(rates.order, rates.contentChange),
      max: relayEvents,
      unit: "events/s",
    },
  ];
}

function replicasOf(
  rates: Rates,
  cores: Plan["cores"],
  cells: number,
  { busyShare, receiverMs }: Assumptions,
): Plan["replicas"] {
  const attemptsAtATime = (rates.webhook * receiverMs) / 1_000;
  const entries = SERVICES.map((name) => {
    const ofProcessor = cores[name] / (CORES_OF_A_PROCESS * busyShare);
    const ofSlots = name === "webhooks" ? attemptsAtATime / (ATTEMPTS_AT_A_TIME * busyShare) : 0;
    // There is one gateway in front of all cells.
    const copies = name === "gateway" ? 1 : cells;
    return [name, copies * Math.max(2, Math.ceil(Math.max(ofProcessor, ofSlots) / copies))];
  });
  return Object.fromEntries(entries) as Plan["replicas"];
}

/** A Postgres and a broker have at least one core each. */
function boughtOf(
  cores: Plan["cores"],
  replicas: Plan["replicas"],
  cells: number,
  { busyShare }: Assumptions,
): number {
  const perCell = (name: ProgramName, copies: number) =>
    Math.max(1, cores[name] / busyShare / copies) * copies;
  const ofDatabases = DATABASES.map((name) => {
    const copies = name === "postgres of gateway" ? 1 : cells;
    return perCell(name, copies) * (1 + STANDBYS);
  });
  // Every broker of a cluster writes every message.
  const ofBrokers = perCell("rabbitmq", cells) * BROKERS;
  return Math.ceil(sum(Object.values(replicas)) * CORES_OF_A_PROCESS + sum(ofDatabases) + ofBrokers);
}

/** How much of the limit is used; above 1, one cell is not enough. */
export function shareOf({ used, max }: Limit): number {
  return used / max;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((all, number) => all + number, 0);
}

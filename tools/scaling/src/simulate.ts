// Computes the resources for a load, its next bottleneck, and how many cells remove the bottleneck. Pure.
import type { Assumptions } from "./assumptions.ts";
import { IDLE_CPU, OF_A_PROCESS, PROGRAMS, type ProgramName, UNIT_COSTS, type Unit } from "./unit-costs.ts";

/** A resource that a cell has once and cannot simply double. */
export interface Limit {
  readonly name: string;
  readonly used: number;
  readonly max: number;
  readonly unit: string;
}

export interface Plan {
  readonly scale: number;
  /** The cores in use at the peak, by program. */
  readonly cores: Readonly<Record<ProgramName, number>>;
  /** The processes of each service in all cells; at least two of each. */
  readonly replicas: Readonly<Record<"gateway" | "orders" | "content" | "webhooks", number>>;
  /** The events per second that the services publish. */
  readonly events: number;
  /** The write-ahead log of all primaries, per second. */
  readonly walMegabytes: number;
  /** The most connections that the services may open to all databases. */
  readonly connections: number;
  /** The memory of the services. */
  readonly memoryGigabytes: number;
  /** The storage of the primaries. */
  readonly storedGigabytes: number;
  /** Capacity of one cell and its use by the whole load, tightest limit first. */
  readonly limits: readonly Limit[];
  /** The number of cells (copies of everything behind the gateway) with which no limit is exceeded. */
  readonly cells: number;
  /** Includes standbys, and three brokers in each cell. */
  readonly coresBought: number;
  readonly pricePerMonth: number;
}

const SECONDS_PER_DAY = 86_400;
const HOURS_PER_MONTH = 730;
const SERVICES = ["gateway", "orders", "content", "webhooks"] as const;
const DATABASES = PROGRAMS.filter((name) => name.startsWith("postgres"));
/** A Node process uses one core for JavaScript, and little more for its other threads. */
const CORES_OF_A_PROCESS = 1;
const ATTEMPTS_AT_A_TIME = 200;
const [STANDBYS, BROKERS] = [1, 3];

/** Returns the plan for a load. `scale` multiplies the load of the assumptions. */
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

/** Returns the sum over all units of rate times `costOf`. */
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
    // One gateway is in front of all cells.
    const copies = name === "gateway" ? 1 : cells;
    return [name, copies * Math.max(2, Math.ceil(Math.max(ofProcessor, ofSlots) / copies))];
  });
  return Object.fromEntries(entries) as Plan["replicas"];
}

/** Returns the cores to buy. Each Postgres and each broker has at least one core. */
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

/** Returns the used share of the limit. Above 1, one cell is not enough. */
export function shareOf({ used, max }: Limit): number {
  return used / max;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((all, number) => all + number, 0);
}

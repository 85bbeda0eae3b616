// `ops doctor`: makes the checks of the services' start, by the same functions, without starting them (interface §9).
import { checkSharedExchanges } from "@tradepost/messaging";
import { waitForMigrations } from "@tradepost/postgres";
import {
  createLogger,
  createMetrics,
  databaseAddress,
  type Environment,
  readSettings,
  StartError,
  showSettings,
  withBrokerCa,
} from "@tradepost/runtime";
import { NODE_MIN } from "@tradepost/runtime/require-node";
import { checkedSealing, type Tables } from "@tradepost/webhooks/operate";
import type { Command } from "commander";
import { SERVICES, type ServiceName } from "./addresses.ts";
import type { Operator } from "./arguments.ts";
import { CONFIGS } from "./config.ts";
import { CONNECT_TIMEOUT_MS, reach, Unreachable, withDatabase } from "./with-database.ts";

interface Check {
  readonly check: string;
  /** Null if it passes. */
  readonly fault: string | null;
  /** The page that says what to do. */
  readonly see: string | null;
}

const logger = createLogger("ops", "silent");
const START = "docs/operating.md#starting-and-stopping";

export function addDoctorCommand(program: Command, operator: Operator): void {
  program
    .command("doctor")
    .description("what the services check at their start, without starting them; exit status 1 if one fails")
    .action(async () => {
      const of = (service: ServiceName) => operator.environment(service).variables;
      const found = await Promise.all([
        // An older Node ends this program at its first line.
        [await attempt(`Node ${process.versions.node}, ${NODE_MIN} or newer`, START, async () => {})],
        ...SERVICES.map((service) => checkService(service, of(service))),
        checkMoreEvents(of("orders"), of("webhooks")),
        ...SERVICES.map((service) => checkSecret(service, of("gateway"), of(service))),
      ]);
      const checks = found.flat();
      const failed = checks.filter(({ fault }) => fault !== null);
      if (failed.length > 0) operator.fail();
      const last =
        failed.length === 0 ? "Nothing to do." : `${failed.length} of ${checks.length} checks fail.`;
      operator.print(checks, [...checks.map(lineOf), last].join("\n"));
    });
}

/** If the types differ, events wait in the outbox of orders, or are lost unnoticed (interface §24). */
function checkMoreEvents(orders: Environment, webhooks: Environment): Check[] {
  const [one, other] = [orders, webhooks].map(({ WEBHOOKS_MORE_EVENTS: types = "" }) =>
    types
      .split(",")
      .map((type) => type.trim())
      .sort()
      .join(),
  );
  const fault = one === other ? null : "it differs in orders and webhooks";
  if (!one && !other) return [];
  return [{ check: "WEBHOOKS_MORE_EVENTS", fault, see: fault && "services/webhooks/README.md" }];
}

function lineOf({ check, fault, see }: Check): string {
  return fault === null ? `ok     ${check}` : `fails  ${check}: ${fault}: see ${see}`;
}

/** Leaves out what needs a setting at fault. */
async function checkService(service: ServiceName, variables: Environment): Promise<Check[]> {
  const shown = showSettings(CONFIGS[service].settings, variables);
  const faults = shown.flatMap(({ name, fault }) => (fault === null ? [] : [`${name} ${fault}`]));
  const valid = Object.fromEntries(
    shown.map(({ name, fault }) => [name, fault === null ? variables[name] || undefined : undefined]),
  );
  const settings = attempt(`${service}: settings`, `services/${service}/README.md`, async () => {
    if (faults.length > 0) throw new StartError(faults.join("; "));
  });
  const checks = [settings, checkDatabase(service, valid, faults.length === 0), checkBroker(service, valid)];
  return (await Promise.all(checks)).flat();
}

async function checkDatabase(
  service: ServiceName,
  valid: Environment,
  isComplete: boolean,
): Promise<Check[]> {
  const address = valid[`${service.toUpperCase()}_DATABASE_URL`];
  if (address === undefined) return [];
  const { POSTGRES_CA_FILE, POSTGRES_POOLER: pooler } = valid;
  const POSTGRES_POOLER = pooler === "transaction" ? pooler : "none";
  const url = databaseAddress(address, { POSTGRES_CA_FILE, POSTGRES_POOLER });
  const { DATABASE } = CONFIGS[service];
  const options = { url, connectTimeoutMs: CONNECT_TIMEOUT_MS, waits: false, logger };
  const work = () => reach(url, () => waitForMigrations({ ...options, ...DATABASE }));
  const away = runbook("database-unavailable");
  const database = await attempt(`${service}: database, migrations and roles`, START, work, away);
  if (service !== "webhooks" || database.fault !== null || !isComplete) return [database];
  const settings = readSettings(CONFIGS.webhooks.settings, valid);
  const sealing = attempt("webhooks: sealing keys", runbook("sealing-failing"), () =>
    withDatabase<Tables, unknown>(
      url,
      (db) => checkedSealing(settings, { db, metrics: createMetrics("ops"), logger }),
      { settings: { role: DATABASE.roles[0] } },
    ),
  );
  return [database, await sealing];
}

async function checkBroker(service: ServiceName, valid: Environment): Promise<Check[]> {
  const { AMQP_URL, AMQP_CA_FILE } = valid;
  if (AMQP_URL === undefined) return [];
  const url = withBrokerCa(AMQP_URL, AMQP_CA_FILE);
  const work = () => reach(url, () => checkSharedExchanges(url));
  return [
    await attempt(`${service}: broker, virtual host and exchanges`, runbook("broker-disconnected"), work),
  ];
}

/** The service accepts every secret of its list, and the gateway signs with the first of its own. */
async function checkSecret(
  service: ServiceName,
  gateway: Environment,
  { GATEWAY_SECRET }: Environment,
): Promise<Check[]> {
  const name = `${service.toUpperCase()}_GATEWAY_SECRET`;
  const signing = gateway[name]?.split(",")[0];
  if (!signing || !GATEWAY_SECRET) return [];
  const check = `${service}: the secret shared with the gateway`;
  const work = async () => {
    if (!GATEWAY_SECRET.split(",").includes(signing))
      throw new StartError(`GATEWAY_SECRET lacks the first of the gateway's ${name}`);
  };
  return [await attempt(check, runbook("signatures-refused"), work)];
}

/** `seeIfAway` is for a server that cannot be reached. */
async function attempt(
  check: string,
  see: string,
  work: () => Promise<unknown>,
  seeIfAway = see,
): Promise<Check> {
  try {
    await work();
    return { check, fault: null, see: null };
  } catch (error) {
    const message = Error.isError(error) ? error.message : String(error);
    return {
      check,
      fault: message.replace(/\.$/, ""),
      see: error instanceof Unreachable ? seeIfAway : see,
    };
  }
}

function runbook(page: string): string {
  return `docs/runbooks/${page}.md`;
}

// `npm start`: brings up Postgres, RabbitMQ and the four services, keeps them running, and stops them again.
// `run` is the frame, `bringUp` the order of things; each step has a file of its own.
import { setTimeout as sleep } from "node:timers/promises";
import { holdDataDirectory } from "./platform/hold-data-directory.ts";
import { trustedCertificates } from "./platform/local-authority.ts";
import { seedDemo } from "./platform/seed-demo.ts";
import { answersOk, type ServiceProcess, serviceProcesses } from "./platform/service-processes.ts";
import { removeStackFile, type Stack, writeStackFile } from "./platform/stack-file.ts";
import { tryNext } from "./platform/try-next.ts";
import { createDatabases, type DatabaseAddresses } from "./postgres/create-databases.ts";
import { migrateDatabases } from "./postgres/migrate-databases.ts";
import { createRolesAsOwner } from "./postgres/service-roles.ts";
import { createKeeper, type Keeper } from "./process/keeper.ts";
import { isPortFree } from "./process/ports.ts";
import type { Server } from "./process/server.ts";
import { onToldToStop } from "./process/stop-signals.ts";
import { bringUpBroker } from "./servers/bring-up-broker.ts";
import { providePostgres } from "./servers/infrastructure.ts";
import { readStackSecrets, type StackSecrets } from "./settings/stack-secrets.ts";
import {
  readStackSettings,
  SERVICES,
  type ServiceName,
  type StackSettings,
} from "./settings/stack-settings.ts";

const READY_WITHIN_MS = 180_000;

process.exit(await run());

/** Resolves to the exit code, when everything has been stopped. */
async function run(): Promise<number> {
  // Whoever reads our output may be gone before we are.
  process.stdout.on("error", () => undefined);
  let refreshStackFile = () => {};
  const keeper = createKeeper({ say, changed: () => refreshStackFile() });
  const stopTold = new Promise<"stop">((resolve) => {
    onToldToStop((times) => {
      if (times === 1) return resolve("stop");
      keeper.kill();
      process.exit(1);
    });
  });
  let letGo: (() => void) | undefined;
  try {
    const settings = readStackSettings(process.env);
    letGo = await holdDataDirectory(settings.dataDir);
    keeper.atEnd(async () => removeStackFile(settings.dataDir));
    const up = bringUp(settings, keeper);
    const describe = await Promise.race([up, stopTold]);
    if (describe !== "stop") {
      refreshStackFile = () => writeStackFile(settings.dataDir, describe());
      refreshStackFile();
      say(`${tryNext(describe(), settings.dataDir)}\nready ${describe().gatewayUrl}`);
      await stopTold;
    }
    say("Stopping …");
    return 0;
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    return 1;
  } finally {
    refreshStackFile = () => {};
    await keeper.stop();
    letGo?.();
  }
}

function say(line: string): void {
  console.log(line);
}

/** Resolves when all of it is ready, to a description that is always of the moment it is called. */
async function bringUp(settings: StackSettings, keeper: Keeper): Promise<() => Stack> {
  await refuseTakenPort(settings.port);
  removeStackFile(settings.dataDir);
  const secrets = readStackSecrets(settings.dataDir);
  say("Starting Postgres and RabbitMQ …");
  const [databases, broker] = await Promise.all([
    bringUpDatabases(settings, secrets, keeper),
    bringUpBroker(settings, secrets.brokerPasswords, keeper, say),
  ]);
  say("Starting the services …");
  const trustedCertificatesFile = await trustedCertificates(settings.dataDir, settings.extraCertificatesFile);
  const databaseUrls = databases.login;
  const { amqpUrls } = broker;
  const around = { settings, secrets, databaseUrls, amqpUrls, trustedCertificatesFile };
  const services = await serviceProcesses(around);
  // The gateway after what stands behind it, so that it is the first to be stopped.
  await Promise.all(services.behind.map((service) => keeper.keep([service])));
  await keeper.keep([services.gateway]);
  const all = [services.gateway, ...services.behind];
  await allReady(all);
  const gatewayUrl = services.gateway.url;
  const demo = await seedDemo({
    gatewayUrl,
    gatewayDatabaseUrl: databases.owner.gateway,
    dataDir: settings.dataDir,
  });
  const pid = (name: string) => ({ pid: keeper.pid(name) });
  return () => ({
    pid: process.pid,
    gatewayUrl,
    amqpUrl: broker.amqpUrl,
    managementUrl: broker.managementUrl,
    databases: databases.owner,
    processes: byName(all.map(({ name, url }) => [name, [{ ...pid(name), url }]])),
    infrastructure: { postgres: pid("postgres"), rabbitmq: pid("rabbitmq") },
    demo,
  });
}

async function refuseTakenPort(port: number): Promise<void> {
  if (port === 0 || (await isPortFree(port))) return;
  throw new Error(
    `Port ${port} is in use by another program: choose another, as in \`PORT=${port + 1} npm start\`.`,
  );
}

async function bringUpDatabases(
  settings: StackSettings,
  secrets: StackSecrets,
  keeper: Keeper,
): Promise<DatabaseAddresses> {
  const given = await givenDatabases(settings, secrets);
  const databases = SERVICES.every((name) => name in given.owner)
    ? (given as DatabaseAddresses)
    : merge(await privateDatabases(settings, secrets, keeper), given);
  await migrateDatabases(databases.owner);
  return databases;
}

async function privateDatabases(
  settings: StackSettings,
  secrets: StackSecrets,
  keeper: Keeper,
): Promise<DatabaseAddresses> {
  const server = await providePostgres(wanted(settings));
  await keepServer(server, keeper);
  return await createDatabases(server.addresses.url, secrets);
}

type SomeDatabases = { [Role in keyof DatabaseAddresses]: Partial<Record<ServiceName, string>> };

async function givenDatabases(settings: StackSettings, secrets: StackSecrets): Promise<SomeDatabases> {
  const given: SomeDatabases = { owner: settings.databaseUrls, login: {} };
  // One after the other: they may be on one server, whose roles they share.
  for (const name of SERVICES) {
    const url = given.owner[name];
    if (url !== undefined)
      given.login[name] = await createRolesAsOwner(name, url, secrets.loginPasswords[name]);
  }
  return given;
}

function merge(all: DatabaseAddresses, some: SomeDatabases): DatabaseAddresses {
  return { owner: { ...all.owner, ...some.owner }, login: { ...all.login, ...some.login } };
}

function wanted({ dataDir }: StackSettings) {
  return { dataDir, durable: true, containersFirst: false, say };
}

async function keepServer(server: Server<object>, keeper: Keeper): Promise<void> {
  keeper.atEnd(server.close);
  await keeper.keep(server.processes);
}

async function allReady(services: ServiceProcess[]): Promise<void> {
  const deadline = Date.now() + READY_WITHIN_MS;
  for (const { name, url } of services) {
    while (!(await answersOk(url, "/readyz"))) {
      if (Date.now() > deadline) throw new Error(`The service ${name} is not ready: see ${url}/readyz.`);
      await sleep(50);
    }
  }
}

function byName<Value>(entries: [ServiceName, Value][]): Record<ServiceName, Value> {
  return Object.fromEntries(entries) as Record<ServiceName, Value>;
}

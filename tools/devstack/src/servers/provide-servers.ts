// Chooses the source of Postgres and RabbitMQ: an external server, a private one, or a container. A server that already runs on
// this machine is used only if a setting names it.

import { randomBytes } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import net from "node:net";
import path from "node:path";
import { preparePostgres, serverSettings } from "../postgres/private-postgres.ts";
import type { Program } from "../process/program.ts";
import { type PreparedRabbitmq, prepareRabbitmq } from "../rabbitmq/private-rabbitmq.ts";
import type { ServiceName } from "../settings/platform-settings.ts";

interface ServerOptions {
  dataDir: string;
  durable: boolean;
  /** For a private broker. */
  servicePasswords?: Readonly<Record<ServiceName, string>>;
  /** Of a private Postgres: `name=value`. */
  postgresSettings?: readonly string[];
  log: (line: string) => void;
}

export function providePostgres(
  options: ServerOptions,
  external?: PostgresAddresses,
): Promise<Server<PostgresAddresses>> {
  if (external !== undefined) return Promise.resolve(externalServer(external));
  const dataDir = path.join(options.dataDir, "postgres");
  const settings = options.postgresSettings ?? [];
  return firstAvailable(
    async () => privateServer(await preparePostgres({ ...options, dataDir, settings })),
    () => startPostgresContainer(options.durable ? `${dataDir}-container` : undefined),
    options,
    "Postgres is not available here: run `npm install` without `--omit=optional`, or start Docker.",
  );
}

export function provideRabbitmq(
  options: ServerOptions,
  external?: BrokerAddresses,
): Promise<Server<BrokerAddresses>> {
  if (external !== undefined) return Promise.resolve(externalServer(external));
  const dataDir = path.join(options.dataDir, "rabbitmq");
  const install =
    process.platform === "darwin" ? "brew install rabbitmq" : "sudo apt-get install rabbitmq-server";
  return firstAvailable(
    async () => privateServer<BrokerAddresses>(await prepareRabbitmq({ ...options, dataDir })),
    () => startRabbitmqContainer(options.durable ? `${dataDir}-container` : undefined),
    options,
    `RabbitMQ is not available here: run \`${install}\`, or start Docker, or set AMQP_URL and RABBITMQ_MANAGEMENT_URL.`,
  );
}

function externalServer<Addresses>(addresses: Addresses): Server<Addresses> {
  return { addresses, processes: [], close: async () => {} };
}

function privateServer<Addresses extends object>(
  prepared: (Addresses & { processes: Program[] }) | undefined,
): Server<Addresses> | undefined {
  return prepared && { addresses: prepared, processes: prepared.processes, close: async () => {} };
}

/** A container is used if the private server is not available here, or cannot be prepared. */
async function firstAvailable<Addresses>(
  privately: () => Promise<Server<Addresses> | undefined>,
  inContainer: () => Promise<Server<Addresses>>,
  { log }: ServerOptions,
  notAvailable: string,
): Promise<Server<Addresses>> {
  let reason = new Error(notAvailable);
  try {
    const server = await privately();
    if (server !== undefined) return server;
  } catch (error) {
    reason = error instanceof Error ? error : new Error(String(error));
  }
  if (!(await hasDocker())) throw reason;
  log(`${reason.message}\nUsing a container instead.`);
  return await inContainer();
}

async function hasDocker(): Promise<boolean> {
  const address = URL.parse(process.env.DOCKER_HOST || "unix:///var/run/docker.sock");
  if (address === null) return false;
  const socket =
    address.protocol === "unix:"
      ? net.connect(address.pathname)
      : net.connect({ host: address.hostname, port: Number(address.port || 2375) });
  const isConnected = await new Promise<boolean>((resolve) => {
    socket.once("connect", () => resolve(true));
    socket.once("error", () => resolve(false));
    socket.setTimeout(1_000, () => resolve(false));
  });
  socket.destroy();
  return isConnected;
}

/** Keeps the data in `dataDir`. Without it, the server is fast and does not survive a crash. */
async function startPostgresContainer(dataDir: string | undefined): Promise<Server<PostgresAddresses>> {
  const { PostgreSqlContainer } = await import("@testcontainers/postgresql");
  const settings = serverSettings(dataDir !== undefined).flatMap((setting) => ["-c", setting]);
  const container = await new PostgreSqlContainer("postgres:17.11")
    .withDatabase("postgres")
    .withUsername("postgres")
    .withPassword(savedPassword(dataDir))
    .withBindMounts(mounts(dataDir, "/var/lib/postgresql/data"))
    .withCommand(["postgres", ...settings])
    .start();
  return {
    addresses: { url: container.getConnectionUri() },
    processes: [],
    close: async () => void (await container.stop()),
  };
}

async function startRabbitmqContainer(dataDir: string | undefined): Promise<Server<BrokerAddresses>> {
  const { RabbitMQContainer } = await import("@testcontainers/rabbitmq");
  const password = savedPassword(dataDir);
  const container = await new RabbitMQContainer("rabbitmq:4.2.9-management")
    .withEnvironment({ RABBITMQ_DEFAULT_USER: "tradepost", RABBITMQ_DEFAULT_PASS: password })
    // The data directory is named after the node, and the node after the host.
    .withHostname("tradepost")
    .withBindMounts(mounts(dataDir, "/var/lib/rabbitmq"))
    .start();
  const at = (port: number) =>
    `tradepost:${password}@${container.getHost()}:${container.getMappedPort(port)}`;
  return {
    addresses: { amqpUrl: `amqp://${at(5672)}`, managementUrl: `http://${at(15672)}` },
    processes: [],
    close: async () => void (await container.stop()),
  };
}

/** The password is set when the data directory is created, so it is saved there. */
function savedPassword(dataDir: string | undefined): string {
  const password = randomBytes(18).toString("hex");
  if (dataDir === undefined) return password;
  mkdirSync(dataDir, { recursive: true, mode: 0o711 });
  const file = path.join(dataDir, "password");
  if (!existsSync(file)) writeFileSync(file, password, { mode: 0o600 });
  return readFileSync(file, "utf8");
}

function mounts(dataDir: string | undefined, target: string): { source: string; target: string }[] {
  return dataDir === undefined ? [] : [{ source: path.join(dataDir, "data"), target }];
}

export interface Server<Addresses> {
  addresses: Addresses;
  /** To be started in this order; empty for a server that runs already. */
  processes: Program[];
  close(): Promise<void>;
}

export interface PostgresAddresses {
  url: string;
}

export interface BrokerAddresses {
  amqpUrl: string;
  managementUrl: string;
  /** With the services' own users, if the broker has them. */
  serviceAmqpUrls?: Record<ServiceName, string>;
  /** Defined only for a private node. */
  node?: PreparedRabbitmq["node"];
}

// Chooses the source of Postgres and RabbitMQ: an external server, a private one, or a container. A server that already runs on
// this machine is used only if a setting names it.
import net from "node:net";
import path from "node:path";
import { preparePostgres } from "../postgres/private-postgres.ts";
import type { Program } from "../process/program.ts";
import { prepareRabbitmq } from "../rabbitmq/private-rabbitmq.ts";
import type { ServiceName } from "../settings/platform-settings.ts";
import { startPostgresContainer, startRabbitmqContainer } from "./containers.ts";
import type { BrokerAddresses, PostgresAddresses, Server } from "./server.ts";

export interface ServerOptions {
  /** The directory in which each server has its own directory. */
  dataDir: string;
  /** Whether the data must survive a crash. */
  durable: boolean;
  /** Tests prefer containers if Docker runs; `npm start` prefers private servers. */
  containersFirst: boolean;
  /** The passwords of the services' users, for a private broker. */
  servicePasswords?: Readonly<Record<ServiceName, string>>;
  /** Further settings of a private Postgres: `name=value`. */
  postgresSettings?: readonly string[];
  log: (line: string) => void;
}

/** Rejects with a sentence for the person at the terminal if no source has a Postgres. */
export function providePostgres(
  options: ServerOptions,
  external?: PostgresAddresses,
): Promise<Server<PostgresAddresses>> {
  if (external !== undefined) return Promise.resolve(externalServer(external));
  const dataDir = path.join(options.dataDir, "postgres");
  const settings = options.postgresSettings ?? [];
  return firstAvailable(
    inOrder(
      options,
      async () => privateServer(await preparePostgres({ ...options, dataDir, settings })),
      () =>
        startPostgresContainer(
          options.durable ? path.join(options.dataDir, "postgres-container") : undefined,
        ),
    ),
    options,
    "Postgres is not available here: run `npm install` without `--omit=optional`, or start Docker.",
  );
}

/** Rejects with a sentence for the person at the terminal if no source has a RabbitMQ. */
export function provideRabbitmq(
  options: ServerOptions,
  external?: BrokerAddresses,
): Promise<Server<BrokerAddresses>> {
  if (external !== undefined) return Promise.resolve(externalServer(external));
  const dataDir = path.join(options.dataDir, "rabbitmq");
  const install =
    process.platform === "darwin" ? "brew install rabbitmq" : "sudo apt-get install rabbitmq-server";
  return firstAvailable(
    inOrder(
      options,
      async () => privateServer<BrokerAddresses>(await prepareRabbitmq({ ...options, dataDir })),
      () =>
        startRabbitmqContainer(
          options.durable ? path.join(options.dataDir, "rabbitmq-container") : undefined,
        ),
    ),
    options,
    `RabbitMQ is not available here: run \`${install}\`, or start Docker, or set AMQP_URL and RABBITMQ_MANAGEMENT_URL.`,
  );
}

/** Resolves to undefined if this machine does not have the source; rejects if the source fails. */
type Source<Addresses> = () => Promise<Server<Addresses> | undefined>;

function externalServer<Addresses>(addresses: Addresses): Server<Addresses> {
  return { addresses, processes: [], close: async () => {} };
}

function inOrder<Addresses>(
  { containersFirst }: ServerOptions,
  privately: Source<Addresses>,
  startContainer: () => Promise<Server<Addresses>>,
): Source<Addresses>[] {
  const inContainer = async () => ((await hasDocker()) ? startContainer() : undefined);
  return containersFirst ? [inContainer, privately] : [privately, inContainer];
}

function privateServer<Addresses extends object>(
  prepared: (Addresses & { processes: Program[] }) | undefined,
): Server<Addresses> | undefined {
  return prepared && { addresses: prepared, processes: prepared.processes, close: async () => {} };
}

async function firstAvailable<Addresses>(
  sources: Source<Addresses>[],
  { log }: ServerOptions,
  notAvailable: string,
): Promise<Server<Addresses>> {
  let reason: Error | undefined;
  for (const source of sources) {
    try {
      const server = await source();
      if (server === undefined) continue;
      if (reason !== undefined) log(`${reason.message}\nUsing a container instead, or a private server.`);
      return server;
    } catch (error) {
      reason = error instanceof Error ? error : new Error(String(error));
    }
  }
  throw reason ?? new Error(notAvailable);
}

/** Whether Docker accepts connections at the address that its own tools use. */
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

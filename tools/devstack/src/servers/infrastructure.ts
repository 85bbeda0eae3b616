// Decides where Postgres and RabbitMQ come from: an address that was given, a private server, or a container.
// A server that already runs on the machine is used only when its address was given.
import net from "node:net";
import path from "node:path";
import { preparePostgres } from "../postgres/private-postgres.ts";
import type { Startable } from "../process/running.ts";
import type { BrokerAddresses, PostgresAddresses, Server } from "../process/server.ts";
import { prepareRabbitmq } from "../rabbitmq/private-rabbitmq.ts";
import type { ServiceName } from "../settings/stack-settings.ts";
import { startPostgresContainer, startRabbitmqContainer } from "./containers.ts";

export interface Wanted {
  /** Each server gets a directory of its own in here. */
  dataDir: string;
  /** Whether the data must outlive a crash. */
  durable: boolean;
  /** Tests prefer containers where there is an engine; `npm start` prefers private servers. */
  containersFirst: boolean;
  /** The passwords of the services' users of a private broker. */
  servicePasswords?: Readonly<Record<ServiceName, string>>;
  say: (line: string) => void;
}

/** Rejects with a sentence for the person at the terminal when no road leads to a Postgres. */
export function providePostgres(
  wanted: Wanted,
  given?: PostgresAddresses,
): Promise<Server<PostgresAddresses>> {
  if (given !== undefined) return Promise.resolve(alreadyThere(given));
  const dataDir = path.join(wanted.dataDir, "postgres");
  return firstOpen(
    inOrder(
      wanted,
      async () => privately(await preparePostgres({ ...wanted, dataDir })),
      () =>
        startPostgresContainer(wanted.durable ? path.join(wanted.dataDir, "postgres-container") : undefined),
    ),
    wanted,
    "Postgres cannot be had here: run `npm install` without `--omit=optional`, or start Docker.",
  );
}

/** Rejects with a sentence for the person at the terminal when no road leads to a RabbitMQ. */
export function provideRabbitmq(wanted: Wanted, given?: BrokerAddresses): Promise<Server<BrokerAddresses>> {
  if (given !== undefined) return Promise.resolve(alreadyThere(given));
  const dataDir = path.join(wanted.dataDir, "rabbitmq");
  const install =
    process.platform === "darwin" ? "brew install rabbitmq" : "sudo apt-get install rabbitmq-server";
  return firstOpen(
    inOrder(
      wanted,
      async () => privately(await prepareRabbitmq({ ...wanted, dataDir })),
      () =>
        startRabbitmqContainer(wanted.durable ? path.join(wanted.dataDir, "rabbitmq-container") : undefined),
    ),
    wanted,
    `RabbitMQ cannot be had here: run \`${install}\`, or start Docker, or set AMQP_URL and RABBITMQ_MANAGEMENT_URL.`,
  );
}

/** A way to a server; undefined where it does not exist on this machine, an error where it does but failed. */
type Road<Addresses> = () => Promise<Server<Addresses> | undefined>;

function alreadyThere<Addresses>(addresses: Addresses): Server<Addresses> {
  return { addresses, processes: [], close: async () => {} };
}

function inOrder<Addresses>(
  wanted: Wanted,
  own: Road<Addresses>,
  startContainer: () => Promise<Server<Addresses>>,
): Road<Addresses>[] {
  const contained = async () => ((await hasDocker()) ? startContainer() : undefined);
  return wanted.containersFirst ? [contained, own] : [own, contained];
}

function privately<Addresses extends object>(
  prepared: (Addresses & { processes: Startable[] }) | undefined,
): Server<Addresses> | undefined {
  return prepared && { addresses: prepared, processes: prepared.processes, close: async () => {} };
}

async function firstOpen<Addresses>(
  roads: Road<Addresses>[],
  wanted: Wanted,
  otherwise: string,
): Promise<Server<Addresses>> {
  let reason: Error | undefined;
  for (const road of roads) {
    try {
      const server = await road();
      if (server === undefined) continue;
      if (reason !== undefined) wanted.say(`${reason.message}\nAnother way was found.`);
      return server;
    } catch (error) {
      reason = error instanceof Error ? error : new Error(String(error));
    }
  }
  throw reason ?? new Error(otherwise);
}

/** Whether an engine accepts connections where Docker's own tools would look for it. */
async function hasDocker(): Promise<boolean> {
  const address = URL.parse(process.env.DOCKER_HOST || "unix:///var/run/docker.sock");
  if (address === null) return false;
  const socket =
    address.protocol === "unix:"
      ? net.connect(address.pathname)
      : net.connect({ host: address.hostname, port: Number(address.port || 2375) });
  const answered = await new Promise<boolean>((resolve) => {
    socket.once("connect", () => resolve(true));
    socket.once("error", () => resolve(false));
    socket.setTimeout(1_000, () => resolve(false));
  });
  socket.destroy();
  return answered;
}

// Chooses the source of Postgres and RabbitMQ: a private server, or else a container. A server that already runs on this machine is not
// used.
import path from "node:path";
import { requestManagement } from "@tradepost/testing";
import {
  accepts,
  type PostgresOptions,
  preparePostgres,
  serverSettings,
} from "../postgres/private-postgres.ts";
import type { Program } from "../process/program.ts";
import {
  type PreparedRabbitmq,
  prepareRabbitmq,
  type RabbitmqOptions,
} from "../rabbitmq/private-rabbitmq.ts";
import type { ServiceName } from "../settings/platform-settings.ts";
import { hasDocker, prepareContainer } from "./container.ts";

export interface BrokerAddresses {
  amqpUrl: string;
  managementUrl: string;
  /** With the services' own users, if the broker has them. */
  serviceAmqpUrls?: Record<ServiceName, string>;
  /** Defined only for a private node. */
  node?: PreparedRabbitmq["node"];
}

/** To be started in this order. */
type Provided<Addresses> = Addresses & { processes: Program[] };

export async function providePostgres(options: PostgresOptions): Promise<Provided<{ url: string }>> {
  const dataDir = path.join(options.dataDir, "postgres");
  return await firstAvailable(
    () => preparePostgres({ ...options, dataDir }),
    () => postgresContainer(`${dataDir}-container`, options.durable),
    options,
    "Postgres is not available here: run `npm install` without `--omit=optional`, or start Docker.",
  );
}

export async function provideRabbitmq(options: RabbitmqOptions): Promise<Provided<BrokerAddresses>> {
  const dataDir = path.join(options.dataDir, "rabbitmq");
  const install =
    process.platform === "darwin" ? "brew install rabbitmq" : "sudo apt-get install rabbitmq-server";
  return await firstAvailable<BrokerAddresses>(
    () => prepareRabbitmq({ ...options, dataDir }),
    () => rabbitmqContainer(`${dataDir}-container`, options.durable),
    options,
    `RabbitMQ is not available here: run \`${install}\`, or start Docker, or set AMQP_URL and RABBITMQ_MANAGEMENT_URL.`,
  );
}

/** A container is used if the private server is not available here, or cannot be prepared. */
async function firstAvailable<Addresses>(
  privately: () => Promise<Provided<Addresses> | undefined>,
  inContainer: () => Promise<Provided<Addresses>>,
  { log }: Pick<PostgresOptions, "log">,
  notAvailable: string,
): Promise<Provided<Addresses>> {
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

function postgresContainer(dataDir: string, durable: boolean): Promise<Provided<{ url: string }>> {
  return prepareContainer(dataDir, {
    ...{ name: "postgres", image: "postgres:17.11", ports: [5432] },
    args: serverSettings(durable).flatMap((setting) => ["-c", setting]),
    ...{ variables: {}, password: "POSTGRES_PASSWORD" },
    kept: durable ? "/var/lib/postgresql/data" : undefined,
    addresses: (password, [port]) => ({ url: `postgres://postgres:${password}@127.0.0.1:${port}/postgres` }),
    isReady: ({ url }) => accepts(url),
  });
}

function rabbitmqContainer(dataDir: string, durable: boolean): Promise<Provided<BrokerAddresses>> {
  return prepareContainer(dataDir, {
    ...{ name: "rabbitmq", image: "rabbitmq:4.2.9-management", ports: [5672, 15672] },
    ...{ variables: { RABBITMQ_DEFAULT_USER: "tradepost" }, password: "RABBITMQ_DEFAULT_PASS" },
    kept: durable ? "/var/lib/rabbitmq" : undefined,
    addresses: (password, [amqp, management]) => ({
      amqpUrl: `amqp://tradepost:${password}@127.0.0.1:${amqp}`,
      managementUrl: `http://tradepost:${password}@127.0.0.1:${management}`,
    }),
    isReady: ({ managementUrl }) =>
      requestManagement(managementUrl, "GET", "/health/checks/port-listener/5672").then(
        () => true,
        () => false,
      ),
  });
}

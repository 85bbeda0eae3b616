// A private Postgres and a private RabbitMQ for a stack that measures or breaks things: kept running, each of their
// processes to be killed and held down at will, and the services' databases made and migrated.
import { mkdir } from "node:fs/promises";
import path from "node:path";
import { maintainSharedExchanges } from "@tradepost/messaging";
import { createLogger } from "@tradepost/runtime";
import { createDatabases, type DatabaseAddresses } from "../postgres/create-databases.ts";
import { migrateDatabases } from "../postgres/migrate-databases.ts";
import { type PreparedPostgres, preparePostgres } from "../postgres/private-postgres.ts";
import { type Holdable, holdable } from "../process/holdable.ts";
import type { Keeper } from "../process/keeper.ts";
import { serviceAmqpUrls } from "../rabbitmq/broker-users.ts";
import { type PreparedRabbitmq, prepareRabbitmq } from "../rabbitmq/private-rabbitmq.ts";
import { readStackSecrets, type StackSecrets } from "../settings/stack-secrets.ts";
import type { ServiceName } from "../settings/stack-settings.ts";

export interface PrivateServers {
  readonly postgres: PreparedPostgres;
  readonly rabbitmq: PreparedRabbitmq;
  readonly held: Readonly<Record<"postgres" | "rabbitmq", readonly Holdable[]>>;
  /** The broker's address for each service. */
  readonly amqpUrls: Record<ServiceName, string>;
  readonly secrets: StackSecrets;
  /** Of each service's database. */
  readonly databases: DatabaseAddresses;
}

/** In: an empty or new directory. Rejects where either server cannot be had on this machine. */
export async function startPrivateServers(
  dataDir: string,
  keeper: Keeper,
  say: (line: string) => void,
  postgresSettings: readonly string[] = [],
): Promise<PrivateServers> {
  for (const folder of ["logs", "run"]) await mkdir(path.join(dataDir, folder), { recursive: true });
  say("Starting Postgres and RabbitMQ …");
  const postgres = await preparePostgres({
    dataDir: path.join(dataDir, "postgres"),
    durable: true,
    settings: postgresSettings,
    say,
  });
  const secrets = readStackSecrets(dataDir);
  const rabbitmq = await prepareRabbitmq({
    dataDir: path.join(dataDir, "rabbitmq"),
    durable: true,
    servicePasswords: secrets.brokerPasswords,
    say,
  });
  if (postgres === undefined || rabbitmq === undefined) {
    throw new Error("Postgres and RabbitMQ of our own are needed, and cannot be had here.");
  }
  const held = { postgres: postgres.processes.map(holdable), rabbitmq: rabbitmq.processes.map(holdable) };
  await Promise.all([
    keeper.keep(held.postgres.map(({ startable }) => startable)),
    keeper.keep(held.rabbitmq.map(({ startable }) => startable)),
  ]);
  const exchanges = maintainSharedExchanges({
    url: rabbitmq.amqpUrl,
    logger: createLogger("local", "silent"),
  });
  keeper.atEnd(exchanges.stop);
  const databases = await createDatabases(postgres.url, secrets);
  await migrateDatabases(databases.owner);
  const amqpUrls = serviceAmqpUrls(rabbitmq.amqpUrl, secrets.brokerPasswords);
  return { postgres, rabbitmq, amqpUrls, held, secrets, databases };
}

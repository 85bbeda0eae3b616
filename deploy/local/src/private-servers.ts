// A private Postgres and a private RabbitMQ for a stack that measures or breaks things: kept running, each of their
// processes to be killed and held down at will, and the services' databases made.
import { mkdir } from "node:fs/promises";
import path from "node:path";
import { createDatabases } from "./create-databases.ts";
import { type Holdable, holdable } from "./holdable.ts";
import type { Keeper } from "./keeper.ts";
import { type PreparedPostgres, preparePostgres } from "./private-postgres.ts";
import { type PreparedRabbitmq, prepareRabbitmq } from "./private-rabbitmq.ts";
import { readStackSecrets, type StackSecrets } from "./stack-secrets.ts";
import type { ServiceName } from "./stack-settings.ts";

export interface PrivateServers {
  readonly postgres: PreparedPostgres;
  readonly rabbitmq: PreparedRabbitmq;
  readonly held: Readonly<Record<"postgres" | "rabbitmq", readonly Holdable[]>>;
  readonly secrets: StackSecrets;
  /** The owner's address of each service's database. */
  readonly databases: Record<ServiceName, string>;
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
  const rabbitmq = await prepareRabbitmq({ dataDir: path.join(dataDir, "rabbitmq"), durable: true, say });
  if (postgres === undefined || rabbitmq === undefined) {
    throw new Error("Postgres and RabbitMQ of our own are needed, and cannot be had here.");
  }
  const held = { postgres: postgres.processes.map(holdable), rabbitmq: rabbitmq.processes.map(holdable) };
  await Promise.all([
    keeper.keep(held.postgres.map(({ startable }) => startable)),
    keeper.keep(held.rabbitmq.map(({ startable }) => startable)),
  ]);
  const secrets = readStackSecrets(dataDir);
  const databases = await createDatabases(postgres.url, secrets.databasePassword);
  return { postgres, rabbitmq, held, secrets, databases };
}

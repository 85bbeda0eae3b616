// Runs Postgres and RabbitMQ in containers, where Docker is the way to them. Testcontainers removes them when
// the process that asked for them ends, however it ends; they are not started again should they die before.
import { randomBytes } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { BrokerAddresses, PostgresAddresses, Server } from "../process/server.ts";

/** Keeps its data in `dataDir`, or, when that is undefined, gives up durability for speed. */
export async function startPostgresContainer(
  dataDir: string | undefined,
): Promise<Server<PostgresAddresses>> {
  const { PostgreSqlContainer } = await import("@testcontainers/postgresql");
  const hasty = ["-c", "fsync=off", "-c", "synchronous_commit=off", "-c", "full_page_writes=off"];
  const wanted = new PostgreSqlContainer("postgres:17.11")
    .withDatabase("postgres")
    .withUsername("postgres")
    .withPassword(keptPassword(dataDir))
    .withBindMounts(mounts(dataDir, "/var/lib/postgresql/data"))
    .withCommand(["postgres", "-c", "max_connections=200", ...(dataDir === undefined ? hasty : [])]);
  const container = await wanted.start();
  return {
    addresses: { url: container.getConnectionUri() },
    processes: [],
    close: async () => void (await container.stop()),
  };
}

/** Keeps its data in `dataDir` when one is given. */
export async function startRabbitmqContainer(dataDir: string | undefined): Promise<Server<BrokerAddresses>> {
  const { RabbitMQContainer } = await import("@testcontainers/rabbitmq");
  const password = keptPassword(dataDir);
  const wanted = new RabbitMQContainer("rabbitmq:4.2-management")
    .withEnvironment({ RABBITMQ_DEFAULT_USER: "tradepost", RABBITMQ_DEFAULT_PASS: password })
    // The data lies under the node's name, which is made from the host's.
    .withHostname("tradepost")
    .withBindMounts(mounts(dataDir, "/var/lib/rabbitmq"));
  const container = await wanted.start();
  const at = (port: number) =>
    `tradepost:${password}@${container.getHost()}:${container.getMappedPort(port)}`;
  return {
    addresses: { amqpUrl: `amqp://${at(5672)}`, managementUrl: `http://${at(15672)}` },
    processes: [],
    close: async () => void (await container.stop()),
  };
}

/** A server takes its password when its data is first made, so it is kept beside them. */
function keptPassword(dataDir: string | undefined): string {
  const fresh = randomBytes(18).toString("hex");
  if (dataDir === undefined) return fresh;
  mkdirSync(dataDir, { recursive: true, mode: 0o711 });
  const file = path.join(dataDir, "password");
  if (!existsSync(file)) writeFileSync(file, fresh, { mode: 0o600 });
  return readFileSync(file, "utf8");
}

function mounts(dataDir: string | undefined, target: string): { source: string; target: string }[] {
  return dataDir === undefined ? [] : [{ source: path.join(dataDir, "data"), target }];
}

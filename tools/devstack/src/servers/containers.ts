// Runs Postgres and RabbitMQ in containers. Testcontainers removes them when this process ends, however it ends. A container that
// dies earlier is not restarted.
import { randomBytes } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { serverSettings } from "../postgres/private-postgres.ts";
import type { BrokerAddresses, PostgresAddresses, Server } from "./server.ts";

/** Keeps the data in `dataDir`. Without it, the server is fast and does not survive a crash. */
export async function startPostgresContainer(
  dataDir: string | undefined,
): Promise<Server<PostgresAddresses>> {
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

/** Keeps the data in `dataDir`, if it is defined. */
export async function startRabbitmqContainer(dataDir: string | undefined): Promise<Server<BrokerAddresses>> {
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

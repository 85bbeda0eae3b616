// The servers that a test run uses, fast and thrown away, unless addresses were given: Postgres, RabbitMQ and, where it
// can be had, Redis.
import { chmodSync, mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { endLeftover } from "../process/leftovers.ts";
import { type Running, startAll, stopAll } from "../process/running.ts";
import type { BrokerAddresses, PostgresAddresses, Server } from "../process/server.ts";
import { providePostgres, provideRabbitmq } from "./infrastructure.ts";
import { startTestRedis } from "./test-redis.ts";

export interface TestServers extends BrokerAddresses {
  postgresUrl: string;
  redisUrl: string | undefined;
  /** Holds nothing once the servers are stopped. */
  directory: string;
  stop(): Promise<void>;
}

const PREFIX = "tradepost-test-";

/**
 * Starts them side by side. Rejects with a sentence when Postgres or RabbitMQ cannot be had; nothing is left running
 * then.
 */
export async function startTestServers(): Promise<TestServers> {
  await clearAfterKilledRuns();
  const directory = mkdtempSync(path.join(os.tmpdir(), `${PREFIX}${process.pid}-`));
  chmodSync(directory, 0o711);
  const wanted = { dataDir: directory, durable: false, containersFirst: true, say: console.log };
  const [postgres, rabbitmq, redis] = await Promise.allSettled([
    providePostgres(wanted, givenPostgres()).then(start),
    provideRabbitmq(wanted, givenRabbitmq()).then(start),
    startTestRedis(process.env.TEST_REDIS_URL, path.join(directory, "redis")),
  ]);
  const stop = async () => {
    const started = [postgres, rabbitmq, redis].filter((result) => result.status === "fulfilled");
    await Promise.all(started.map((result) => result.value.stop()));
    rmSync(directory, { recursive: true, force: true, maxRetries: 5 });
  };
  if (postgres.status === "fulfilled" && rabbitmq.status === "fulfilled") {
    const redisUrl = redis.status === "fulfilled" ? redis.value.url : undefined;
    return {
      ...rabbitmq.value.addresses,
      postgresUrl: postgres.value.addresses.url,
      redisUrl,
      directory,
      stop,
    };
  }
  await stop();
  throw [postgres, rabbitmq].find((result) => result.status === "rejected")?.reason;
}

/** A run that was killed could not clean up: its directory tells whose it was and what it had started. */
async function clearAfterKilledRuns(): Promise<void> {
  for (const name of readdirSync(os.tmpdir())) {
    const owner = new RegExp(`^${PREFIX}(\\d+)-`).exec(name)?.[1];
    const directory = path.join(os.tmpdir(), name);
    if (owner === undefined || isAlive(Number(owner)) || !isOurs(directory)) continue;
    try {
      for (const pidFile of ["postgres/postgres", "rabbitmq/rabbitmq", "rabbitmq/epmd", "redis/redis"]) {
        await endLeftover(path.join(directory, `${pidFile}.pid`), "SIGKILL", 5_000);
      }
      rmSync(directory, { recursive: true, force: true, maxRetries: 5 });
    } catch {
      // Another run is clearing it at the same time.
    }
  }
}

/** In a directory that everybody writes to, a stranger's file must not tell us which processes to end. */
function isOurs(directory: string): boolean {
  return statSync(directory, { throwIfNoEntry: false })?.uid === os.userInfo().uid;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

function givenPostgres(): PostgresAddresses | undefined {
  const url = process.env.TEST_POSTGRES_URL;
  return url ? { url } : undefined;
}

function givenRabbitmq(): BrokerAddresses | undefined {
  const amqpUrl = process.env.TEST_AMQP_URL;
  const managementUrl = process.env.TEST_RABBITMQ_MANAGEMENT_URL;
  return amqpUrl && managementUrl ? { amqpUrl, managementUrl } : undefined;
}

async function start<Addresses>(
  server: Server<Addresses>,
): Promise<{ addresses: Addresses; stop(): Promise<void> }> {
  const running: Running[] = await startAll(server.processes);
  const stop = async () => {
    await stopAll(running);
    await server.close();
  };
  return { addresses: server.addresses, stop };
}

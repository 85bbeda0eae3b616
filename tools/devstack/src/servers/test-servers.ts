// The servers of a test run, deleted afterwards: Postgres, RabbitMQ and, if available, Redis, or the one at TEST_REDIS_URL.
import { chmodSync, existsSync, mkdtempSync, readdirSync, rmSync, statfsSync, statSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { endOrphan, killProcessesOf } from "../process/orphans.ts";
import { type Program, startAll, stopAll } from "../process/program.ts";
import { startTestRedis } from "../redis/private-redis.ts";
import { providePostgres, provideRabbitmq } from "./provide-servers.ts";

export type TestServers = Awaited<ReturnType<typeof startTestServers>>;

const PREFIX = "tradepost-test-";
// Linux's file system in memory. There a database that is created and dropped takes a quarter of the processor time that it takes on
// ext4, which looks for inodes that were not deleted recently.
const MEMORY_FILES = "/dev/shm";
const GIGABYTE = 1024 ** 3;
/** The size of the servers' files, with room for more. */
const MEMORY_FILES_MIN = 3 * GIGABYTE;
const MEMORY_MIN = 6 * GIGABYTE;

/** Rejects with a sentence when Postgres or RabbitMQ is not available; then no server is left running. */
export async function startTestServers() {
  for (const parent of parents()) await cleanUpKilledRuns(parent);
  const directory = createDirectory(os.tmpdir());
  const dataDir = createDirectory(hasRoomInMemory() ? MEMORY_FILES : os.tmpdir());
  const options = { dataDir, durable: false, log: console.log };
  const [postgres, rabbitmq, redis] = await Promise.allSettled([
    providePostgres(options).then(start),
    provideRabbitmq(options).then(start),
    startTestRedis(process.env.TEST_REDIS_URL, path.join(dataDir, "redis")),
  ]);
  const stop = async () => {
    const started = [postgres, rabbitmq, redis].filter((result) => result.status === "fulfilled");
    await Promise.all(started.map((result) => result.value.stop()));
    for (const one of [directory, dataDir]) {
      // Interrupted tests leave servers behind.
      killProcessesOf(one);
      rmSync(one, { recursive: true, force: true, maxRetries: 5 });
    }
  };
  if (postgres.status === "fulfilled" && rabbitmq.status === "fulfilled") {
    const redisUrl = redis.status === "fulfilled" ? redis.value.url : undefined;
    // The directory is deleted when the servers stop. Processes whose command names it are killed.
    return { ...rabbitmq.value, postgresUrl: postgres.value.url, redisUrl, directory, stop };
  }
  await stop();
  throw [postgres, rabbitmq].find((result) => result.status === "rejected")?.reason;
}

function createDirectory(parent: string): string {
  const created = mkdtempSync(path.join(parent, `${PREFIX}${process.pid}-`));
  chmodSync(created, 0o711);
  return created;
}

function parents(): string[] {
  return [os.tmpdir(), MEMORY_FILES].filter((parent) => existsSync(parent));
}

/** Reports whether the servers can keep their files in memory. A container's limits count too. */
function hasRoomInMemory(): boolean {
  if (!existsSync(MEMORY_FILES) || process.availableMemory() < MEMORY_MIN) return false;
  const { bavail, bsize } = statfsSync(MEMORY_FILES);
  return bavail * bsize >= MEMORY_FILES_MIN;
}

/** A killed run leaves its directories, whose names contain the run's pid, with the pid files of its servers. */
async function cleanUpKilledRuns(parent: string): Promise<void> {
  for (const name of readdirSync(parent)) {
    const owner = new RegExp(`^${PREFIX}(\\d+)-`).exec(name)?.[1];
    const directory = path.join(parent, name);
    if (owner === undefined || isAlive(Number(owner)) || !isOurs(directory)) continue;
    try {
      for (const pidFile of ["postgres/postgres", "rabbitmq/rabbitmq", "rabbitmq/epmd", "redis/redis"]) {
        await endOrphan(path.join(directory, `${pidFile}.pid`), "SIGKILL", 5_000);
      }
      killProcessesOf(directory);
      rmSync(directory, { recursive: true, force: true, maxRetries: 5 });
    } catch {
      // Another run cleans it up at the same time.
    }
  }
}

/** Other users can write to the parent directory, and their files must not decide which processes are killed. */
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

/** Starts another Postgres, for one test file. Unlike the shared one it flushes its commits. */
export async function startTestPostgres() {
  const dataDir = createDirectory(hasRoomInMemory() ? MEMORY_FILES : os.tmpdir());
  const options = { dataDir, durable: true, log: console.log };
  const { url, stop } = await start(await providePostgres(options));
  return {
    url,
    stop: async () => {
      await stop();
      rmSync(dataDir, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

async function start<Server extends { processes: Program[] }>(server: Server) {
  const running = await startAll(server.processes);
  return { ...server, stop: () => stopAll(running) };
}

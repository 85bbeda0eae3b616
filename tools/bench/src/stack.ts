import {
  answersOk,
  createKeeper,
  type Holdable,
  holdable,
  readStackSettings,
  type ServiceName,
  type ServiceProcess,
  serviceProcesses,
  startPrivateServers,
  trustedCertificates,
} from "@tradepost/devstack";
import type { Programs } from "./cpu.ts";

export type Stack = Awaited<ReturnType<typeof startStack>>;

const READY_WITHIN_MS = 90_000;

const SETTINGS = {
  PORT: "0",
  // One tenant may have the whole machine here.
  RATE_LIMIT_PER_SECOND: "0",
  TENANT_CONCURRENCY_MAX: "0",
  // It would be one more event among those measured.
  CANARY_EVERY_MS: "0",
};

// When a change was committed is what a webhook's latency counts from.
const POSTGRES_SETTINGS = ["track_commit_timestamp=on"];

/** In: an empty or new directory. Out: everything, ready. `stop` ends it all; the directory stays. */
export async function startStack(dataDir: string, say: (line: string) => void) {
  const keeper = createKeeper({ say: () => undefined, changed: () => undefined });
  try {
    const { postgres, rabbitmq, amqpUrls, secrets, databases } = await startPrivateServers(
      dataDir,
      keeper,
      say,
      POSTGRES_SETTINGS,
    );
    say("Starting the services …");
    const { gateway, behind } = await serviceProcesses({
      settings: readStackSettings({ ...process.env, ...SETTINGS, TRADEPOST_DATA_DIR: dataDir }),
      secrets,
      databaseUrls: databases.login,
      amqpUrls,
      trustedCertificatesFile: await trustedCertificates(dataDir, undefined),
    });
    const processes = [...behind, gateway].map((process) => ({ process, held: holdable(process) }));
    await Promise.all(processes.map(({ held }) => keeper.keep([held.startable])));
    const untilReady = () => Promise.all(processes.map(({ process }) => ready(process)));
    await untilReady();
    const urls = Object.fromEntries(processes.map(({ process }) => [process.name, process.url]));
    return {
      dataDir,
      url: gateway.url,
      urls: urls as Record<ServiceName, string>,
      databases: databases.owner,
      secrets,
      postgresUrl: postgres.url,
      amqpUrl: rabbitmq.amqpUrl,
      /** The pids at this moment. */
      programs: (): Programs =>
        pidsOf(["gateway", "orders", "content", "webhooks", "postgres", "rabbitmq"], keeper.pid),
      holds: (name: ServiceName): Holdable => {
        const found = processes.find(({ process }) => process.name === name);
        if (found === undefined) throw new Error(`no service is called ${name}`);
        return found.held;
      },
      untilReady,
      stop: async () => {
        keeper.kill();
        await keeper.stop();
      },
    };
  } catch (error) {
    await keeper.stop();
    throw error;
  }
}

function pidsOf(names: readonly string[], pid: (name: string) => number | null): Programs {
  return Object.fromEntries(names.map((name) => [name, pid(name) ?? 0]));
}

async function ready({ name, url }: ServiceProcess): Promise<void> {
  const deadline = Date.now() + READY_WITHIN_MS;
  while (!(await answersOk(url, "/readyz"))) {
    if (Date.now() > deadline) throw new Error(`${name} is not ready after ${READY_WITHIN_MS / 1_000} s`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

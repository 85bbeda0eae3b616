// `npm start`: starts the platform with a demo tenant, keeps it running, and stops it on Ctrl-C (interface §9).

import { lockDataDirectory } from "./platform/lock-data-directory.ts";
import { nextSteps } from "./platform/next-steps.ts";
import { type PlatformFile, removePlatformFile, writePlatformFile } from "./platform/platform-file.ts";
import { type Demo, seedDemo } from "./platform/seed-demo.ts";
import { type Platform, startPlatform } from "./platform/start-platform.ts";
import { isPortFree } from "./process/ports.ts";
import { onStopRequest } from "./process/stop-requests.ts";
import { createSupervisor, type Supervisor } from "./process/supervisor.ts";
import {
  type PlatformSettings,
  readPlatformSettings,
  type ServiceName,
} from "./settings/platform-settings.ts";

process.exit(await run());

/** Resolves to the exit code when everything has stopped. */
async function run(): Promise<number> {
  // The program that reads the output may exit first.
  process.stdout.on("error", () => undefined);
  let refreshPlatformFile = () => {};
  const supervisor = createSupervisor({ log, restarted: () => refreshPlatformFile() });
  const stopRequest = new Promise<"stop">((resolve) => {
    onStopRequest((count) => {
      if (count === 1) return resolve("stop");
      supervisor.kill();
      process.exit(1);
    });
  });
  let unlock: (() => void) | undefined;
  try {
    const settings = readPlatformSettings(process.env);
    unlock = await lockDataDirectory(settings.dataDir);
    supervisor.onStop(async () => removePlatformFile(settings.dataDir));
    const started = await Promise.race([startWithDemo(settings, supervisor), stopRequest]);
    if (started !== "stop") {
      const { platform, demo } = started;
      refreshPlatformFile = () => writePlatformFile(settings.dataDir, describe(platform, demo));
      refreshPlatformFile();
      log(`${nextSteps(describe(platform, demo), settings.dataDir)}\nready ${platform.url}`);
      await stopRequest;
    }
    log("Stopping …");
    return 0;
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    return 1;
  } finally {
    refreshPlatformFile = () => {};
    await supervisor.stop();
    unlock?.();
  }
}

function log(line: string): void {
  console.log(line);
}

async function startWithDemo(
  settings: PlatformSettings,
  supervisor: Supervisor,
): Promise<{ platform: Platform; demo: Demo }> {
  if (settings.port !== 0 && !(await isPortFree(settings.port))) {
    throw new Error(
      `Port ${settings.port} is in use by another program: choose another, as in \`PORT=${settings.port + 1} npm start\`.`,
    );
  }
  removePlatformFile(settings.dataDir);
  const platform = await startPlatform({ settings, supervisor, log });
  const demo = await seedDemo({
    gatewayUrl: platform.url,
    gatewayDatabaseUrl: platform.databases.gateway,
    dataDir: settings.dataDir,
  });
  return { platform, demo };
}

function describe({ url, broker, databases, services, pid }: Platform, demo: Demo): PlatformFile {
  const processes = services.map(({ service, name, url }) => [service, [{ pid: pid(name), url }]]);
  return {
    pid: process.pid,
    gatewayUrl: url,
    amqpUrl: broker.amqpUrl,
    managementUrl: broker.managementUrl,
    databases,
    processes: Object.fromEntries(processes) as Record<ServiceName, PlatformFile["processes"]["gateway"]>,
    infrastructure: { postgres: { pid: pid("postgres") }, rabbitmq: { pid: pid("rabbitmq") } },
    demo,
  };
}

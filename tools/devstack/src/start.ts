// `npm start`: starts the platform with a demo tenant, keeps it running, and stops it on Ctrl-C (interface §9). With `--open` it opens
// the dashboard, with `--observability` it also starts a Prometheus with the alert rules, with `--together` the four services run in
// one process.
import { parseArgs } from "node:util";
import { freePort, isPortFree } from "@tradepost/testing";
import { buildDashboard, packClient } from "./build/build.ts";
import { linkToDashboard, openInBrowser } from "./platform/link-to-dashboard.ts";
import { nextSteps, printNotices } from "./platform/next-steps.ts";
import {
  lockDataDirectory,
  type PlatformFile,
  removePlatformFile,
  writePlatformFile,
} from "./platform/platform-file.ts";
import { seedDemo } from "./platform/seed-demo.ts";
import { startPlatform } from "./platform/start-platform.ts";
import { onStopRequest } from "./process/run-script.ts";
import { tickingLog } from "./process/step.ts";
import { createSupervisor, type Supervisor } from "./process/supervisor.ts";
import { preparePrometheus } from "./prometheus/private-prometheus.ts";
import {
  type PlatformSettings,
  readPlatformSettings,
  type ServiceName,
} from "./settings/platform-settings.ts";

const { log, stopTicking } = tickingLog();
process.exit(await run());

async function run(): Promise<number> {
  // The program that reads the output may exit first.
  process.stdout.on("error", () => undefined);
  const startedAt = new Date();
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
  let notices: ReturnType<typeof printNotices> | undefined;
  try {
    const flag = { type: "boolean", default: false } as const;
    const options = { observability: flag, together: flag, open: flag };
    const { observability, together, open } = parseArgs({ options }).values;
    const settings = readPlatformSettings(process.env);
    unlock = await lockDataDirectory(settings.dataDir);
    supervisor.onStop(async () => removePlatformFile(settings.dataDir));
    const starting = startAll(settings, supervisor, { observability, together });
    const started = await Promise.race([starting, stopRequest]);
    if (started !== "stop") {
      const { platform } = started;
      refreshPlatformFile = () => writePlatformFile(settings.dataDir, describe(started));
      refreshPlatformFile();
      const link = await linkToDashboard(describe(started));
      stopTicking();
      log(`${nextSteps(describe(started), settings.dataDir)}\nready ${platform.url}\n\n${link.sentence}`);
      if (open) openInBrowser(link.url, log);
      notices = printNotices(platform.databases.webhooks, startedAt, log);
      await stopRequest;
    }
    stopTicking();
    log("Stopping …");
    return 0;
  } catch (error) {
    stopTicking();
    console.error(error instanceof Error ? error.message : error);
    return 1;
  } finally {
    refreshPlatformFile = () => {};
    await notices?.stop();
    await supervisor.stop();
    unlock?.();
  }
}

type Started = Awaited<ReturnType<typeof startAll>>;

async function startAll(
  settings: PlatformSettings,
  supervisor: Supervisor,
  { observability, together }: { observability: boolean; together: boolean },
) {
  if (settings.port !== 0 && !(await isPortFree(settings.port))) {
    throw new Error(
      `Port ${settings.port} is in use by another program: choose another, as in \`PORT=${settings.port + 1} npm start\`.`,
    );
  }
  removePlatformFile(settings.dataDir);
  settings.gateway.SIGN_IN_LINKS = "true";
  const prometheus = observability ? await preparePrometheus({ dataDir: settings.dataDir, log }) : undefined;
  // With port 0, the gateway would choose a port that nobody knows.
  if (Number(settings.gateway.METRICS_PORT ?? 0) === 0) {
    settings.gateway.METRICS_PORT = String(await freePort());
  }
  const metricsPort = settings.gateway.METRICS_PORT;
  const { gateway } = settings;
  const prepare = async () => {
    const [dashboard, client] = await Promise.all([
      gateway.DASHBOARD_DIR ?? buildDashboard(log),
      gateway.CLIENT_PACKAGE_FILE ?? packClient(log),
    ]);
    Object.assign(gateway, { DASHBOARD_DIR: dashboard, CLIENT_PACKAGE_FILE: client });
  };
  const platform = await startPlatform({ settings, supervisor, log, isTogether: together, prepare });
  if (prometheus !== undefined) {
    const { services } = platform;
    prometheus.scrape(
      services.map(({ service, url }) => ({ service, url: metricsOf(service, url, metricsPort) })),
    );
    await supervisor.start([prometheus.program]);
  }
  const demo = await seedDemo(platform);
  return { platform, demo, prometheus, metricsPort };
}

/** The gateway serves its metrics on another port than the API. */
function metricsOf(service: ServiceName, url: string, metricsPort: string | undefined): string {
  return service === "gateway" ? `http://127.0.0.1:${metricsPort}` : url;
}

function describe({ platform, demo, prometheus, metricsPort }: Started): PlatformFile {
  const { url, broker, databases, services, pid } = platform;
  const processes = services.map(({ service, name, url }) => {
    const metricsUrl = `${metricsOf(service, url, metricsPort)}/metrics`;
    return [service, [{ pid: pid(name), url, metricsUrl }]];
  });
  return {
    pid: process.pid,
    gatewayUrl: url,
    amqpUrl: broker.amqpUrl,
    managementUrl: broker.managementUrl,
    databases,
    processes: Object.fromEntries(processes) as Record<ServiceName, PlatformFile["processes"]["gateway"]>,
    infrastructure: { postgres: { pid: pid("postgres") }, rabbitmq: { pid: pid("rabbitmq") } },
    ...(prometheus !== undefined && { prometheus: { pid: pid("prometheus"), url: prometheus.url } }),
    demo,
  };
}

// The four services as one program, which runs them in one process.
import path from "node:path";
import { launchUntilReady, type Program } from "../process/program.ts";
import { SERVICES, type ServiceName } from "../settings/platform-settings.ts";
import { ROOT } from "../settings/root.ts";
import {
  environmentOf,
  MEMORY,
  respondsOk,
  type ServiceEnvironment,
  START_TIMEOUT_MS,
  stopTimeout,
} from "./service-program.ts";

export const TOGETHER = "services";

/** Variables of the process, not of a service. */
const OF_THE_PROCESS = [
  ...Object.keys(MEMORY.env),
  "NODE_COMPILE_CACHE",
  "NODE_EXTRA_CA_CERTS",
  "TRADEPOST_RESPONSES_FILE",
  "PATH",
  "HOME",
  "LANG",
  "TZ",
];

export function togetherProgram(
  services: Readonly<Record<ServiceName, { port: number; environment: ServiceEnvironment }>>,
): Program {
  const { settings } = services.gateway.environment;
  const options = {
    name: TOGETHER,
    command: process.execPath,
    args: [...MEMORY.flags, "--conditions=source", "--disable-warning=ExperimentalWarning", "src/main.ts"],
    env: Object.assign(
      {},
      MEMORY.env,
      ...SERVICES.map((service) => withPrefix(service, services[service])),
    ) as Record<string, string>,
    cwd: path.join(ROOT, "tools/together"),
    logFile: path.join(settings.dataDir, `logs/${TOGETHER}.log`),
    pidFile: path.join(settings.dataDir, `run/${TOGETHER}.pid`),
    stopSignal: "SIGTERM" as const,
    stopTimeoutMs: stopTimeout("gateway", settings) + stopTimeout("webhooks", settings),
  };
  const urls = SERVICES.map((service) => `http://127.0.0.1:${services[service].port}`);
  const areLive = async (timeoutMs?: number) =>
    (await Promise.all(urls.map((url) => respondsOk(url, "/healthz", timeoutMs)))).every(Boolean);
  const ready = {
    title: "The process of the services",
    timeoutMs: START_TIMEOUT_MS,
    isReady: () => areLive(),
  };
  return {
    name: TOGETHER,
    isLive: areLive,
    start: (signal) => launchUntilReady(options, ready, signal),
  };
}

/** The service's environment, with its name in front of each variable that does not belong to the process. */
function withPrefix(
  service: ServiceName,
  { port, environment }: { port: number; environment: ServiceEnvironment },
): Record<string, string> {
  const named = Object.entries(environmentOf(service, port, environment)).map(([name, value]) => [
    OF_THE_PROCESS.includes(name) ? name : `${service.toUpperCase()}_${name}`,
    value,
  ]);
  return Object.fromEntries(named) as Record<string, string>;
}

// The four services as one program, which runs them in one process.
import path from "node:path";
import type { Program } from "../process/program.ts";
import { SERVICES, type ServiceName } from "../settings/platform-settings.ts";
import { ROOT } from "../settings/root.ts";
import {
  environmentOf,
  MEMORY,
  nodeProgram,
  type ServiceEnvironment,
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
  const variables = SERVICES.map((service) => withPrefix(service, services[service]));
  const options = {
    ...{ title: "The process of the services", dataDir: settings.dataDir },
    folder: path.join(ROOT, "tools/together"),
    env: Object.assign({}, MEMORY.env, ...variables) as Record<string, string>,
    stopTimeoutMs: stopTimeout("gateway", settings) + stopTimeout("webhooks", settings),
  };
  const urls = SERVICES.map((service) => `http://127.0.0.1:${services[service].port}`);
  return nodeProgram(TOGETHER, options, urls);
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

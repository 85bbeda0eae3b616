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
  ports: Readonly<Record<ServiceName, number>>,
  environments: Readonly<Record<ServiceName, ServiceEnvironment>>,
): Program {
  const { settings } = environments.gateway;
  const options = {
    ...{ title: "The process of the services", dataDir: settings.dataDir },
    folder: path.join(ROOT, "tools/together"),
    env: Object.assign(
      { ...MEMORY.env },
      ...SERVICES.map((service) =>
        withPrefix(service, environmentOf(service, ports[service], environments[service])),
      ),
    ) as Record<string, string>,
    stopTimeoutMs: stopTimeout("gateway", settings) + stopTimeout("webhooks", settings),
  };
  const urls = SERVICES.map((service) => `http://127.0.0.1:${ports[service]}`);
  return nodeProgram(TOGETHER, options, urls);
}

/** The environment, with the service's name in front of each variable that does not belong to the process. */
function withPrefix(service: ServiceName, environment: Record<string, string>) {
  const named = Object.entries(environment).map(([name, value]) => [
    OF_THE_PROCESS.includes(name) ? name : `${service.toUpperCase()}_${name}`,
    value,
  ]);
  return Object.fromEntries(named) as Record<string, string>;
}

// The URLs of the platform's databases and broker: from the environment, or else from the stack.json that a running
// `npm start` writes.
import { readFileSync } from "node:fs";
import path from "node:path";
import {
  brokerUrls,
  databaseAddress,
  type Environment,
  environmentOf,
  withBrokerCa,
} from "@tradepost/runtime";
import { z } from "zod";

export const SERVICES = ["gateway", "orders", "content", "webhooks"] as const;
export type ServiceName = (typeof SERVICES)[number];

interface ServiceAddress {
  readonly url: string;
  /** Undefined if only the service's own network reaches its metrics. */
  readonly metricsUrl?: string | undefined;
}

export interface Addresses {
  readonly databases: Readonly<Record<ServiceName, string>>;
  readonly amqpUrl: string;
  readonly managementUrl: string;
  /** Of each process; empty where they are unknown. */
  readonly services?: Readonly<Record<ServiceName, readonly ServiceAddress[]>>;
  /** Undefined if they are unknown. */
  readonly mediaEnvironment?: Readonly<Record<string, string | undefined>> | undefined;
}

const platformFile = z.object({
  amqpUrl: z.string(),
  managementUrl: z.string(),
  databases: z.record(z.enum(SERVICES), z.string()),
  processes: z.record(
    z.enum(SERVICES),
    z.array(
      z.object({
        ...{ url: z.string(), metricsUrl: z.string().optional() },
        pid: z.number().nullish(),
      }),
    ),
  ),
});

const ROOT = path.resolve(import.meta.dirname, "../../..");

export function dataDirectory(): string {
  return path.resolve(ROOT, process.env.TRADEPOST_DATA_DIR ?? ".data");
}

/** Throws a sentence for the operator if a URL is in neither place. */
export function findAddresses(): Addresses {
  const { env } = process;
  const platform = readPlatformFile(path.join(dataDirectory(), "stack.json"));
  const setting = (name: string, ofPlatform: string | undefined, schemes: readonly string[]) =>
    env[name] === undefined ? (ofPlatform ?? missing(name)) : checkUrl(name, env[name], schemes);
  const database = (name: ServiceName) =>
    databaseAddress(
      setting(`${name.toUpperCase()}_DATABASE_URL`, platform?.databases[name], ["postgres", "postgresql"]),
      { POSTGRES_CA_FILE: env.POSTGRES_CA_FILE || undefined },
    );
  return {
    databases: forEachService(database),
    amqpUrl: withBrokerCa(
      setting("AMQP_URL", platform?.amqpUrl, ["amqp", "amqps"]),
      env.AMQP_CA_FILE || undefined,
    ),
    managementUrl: setting("RABBITMQ_MANAGEMENT_URL", platform?.managementUrl, ["http", "https"]),
    services: serviceAddresses(env, platform?.processes),
    mediaEnvironment: mediaEnvironment(env, platform === null ? null : path.join(dataDirectory(), "media")),
  };
}

export type FoundEnvironment = ReturnType<typeof findEnvironment>;

/** From the service's process under `npm start`, or else from this one, read as the program of all services does. */
export function findEnvironment(service: ServiceName): { of: string; variables: Environment } {
  const platform = readPlatformFile(path.join(dataDirectory(), "stack.json"));
  const pid = platform?.processes[service][0]?.pid;
  const own = { of: "the environment", variables: environmentOf(service, process.env) };
  if (!pid) return own;
  try {
    const lines = readFileSync(`/proc/${pid}/environ`, "utf8").split("\0");
    const variables = Object.fromEntries(lines.map((line) => line.split(/=(.*)/s, 2)));
    const isShared = SERVICES.every((name) => platform?.processes[name][0]?.pid === pid);
    return { of: `process ${pid}`, variables: isShared ? environmentOf(service, variables) : variables };
  } catch {
    // The process has ended, or this machine has no /proc.
    return own;
  }
}

/** `<SERVICE>_URL` may have the addresses of several processes, separated by commas. The gateway has its metrics elsewhere. */
function serviceAddresses(
  env: Readonly<Record<string, string | undefined>>,
  ofPlatform: z.output<typeof platformFile>["processes"] | undefined,
): Record<ServiceName, readonly ServiceAddress[]> {
  return forEachService((service) => {
    const setting = env[`${service.toUpperCase()}_URL`];
    if (!setting) return ofPlatform?.[service] ?? [];
    const metricsUrls = service === "gateway" ? (env.GATEWAY_METRICS_URL ?? "").split(",") : [];
    return setting.split(",").map((url, index) => ({
      url,
      metricsUrl: service === "gateway" ? metricsUrls[index] || undefined : `${url}/metrics`,
    }));
  });
}

function forEachService<Value>(of: (service: ServiceName) => Value): Record<ServiceName, Value> {
  return { gateway: of("gateway"), orders: of("orders"), content: of("content"), webhooks: of("webhooks") };
}

function mediaEnvironment(
  env: Readonly<Record<string, string | undefined>>,
  platformDir: string | null,
): Addresses["mediaEnvironment"] {
  if (env.CONTENT_MEDIA_DIR !== undefined || env.CONTENT_S3_BUCKET !== undefined) return env;
  return platformDir === null ? undefined : { CONTENT_MEDIA_DIR: platformDir };
}

function readPlatformFile(file: string): z.output<typeof platformFile> | null {
  try {
    return platformFile.parse(JSON.parse(readFileSync(file, "utf8")));
  } catch {
    return null;
  }
}

/** The message does not repeat the text, which may contain a password. */
function checkUrl(setting: string, text: string, schemes: readonly string[]): string {
  const isAddress = (address: string) =>
    schemes.some((scheme) => address.startsWith(`${scheme}://`)) && URL.canParse(address);
  if (brokerUrls(text).every(isAddress)) return text;
  const beginnings = schemes.map((scheme) => `${scheme}://`).join(" or ");
  throw new Error(`${setting} must be a URL that begins with ${beginnings}.`);
}

function missing(setting: string): never {
  throw new Error(
    `No running platform found. Start one with \`npm start\`, or set ${setting} and the other URLs.`,
  );
}

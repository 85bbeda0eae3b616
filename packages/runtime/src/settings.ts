// No other code of the product reads process.env.
import { readFileSync } from "node:fs";
import { z } from "zod";
import type { Environment } from "./environment-of.ts";
import { createLogger } from "./logger.ts";
import { brokerUrls } from "./server-addresses.ts";

/** The message names every fault, without the values. */
export class SettingsError extends Error {
  override readonly name = "SettingsError";
}

/**
 * Reads settings (interface §9). The keys are environment variables; an empty string counts as not set.
 * @throws SettingsError with all faults.
 */
export function readSettings<Schema extends z.ZodObject>(
  schema: Schema,
  environment: Environment = process.env,
): z.output<Schema> {
  const parsed = parseSettings(schema, environment);
  if (parsed.success) return parsed.data;
  const faults = parsed.error.issues.map((issue) => `${issue.path.join(".")} ${issue.message}`);
  throw new SettingsError(`Settings are missing or wrong: ${faults.join("; ")}.`);
}

export function parseSettings<Schema extends z.ZodObject>(schema: Schema, environment: Environment) {
  const set = Object.entries(environment).filter(([name, value]) => name in schema.shape && value !== "");
  return schema.safeParse(Object.fromEntries(set), { error: faultOf });
}

function faultOf(issue: z.core.$ZodRawIssue): string {
  if (issue.input === undefined) return "is missing";
  if (issue.code === "invalid_value") return `must be one of ${issue.values.join(", ")}`;
  if (issue.code === "too_small") return `must have at least ${issue.minimum} characters`;
  if (issue.code === "too_big") return `must have at most ${issue.maximum} characters`;
  return "is malformed";
}

/** For the start of a program: logs the faults in one line and exits with 1. */
export function readSettingsOrExit<Schema extends z.ZodObject>(
  name: string,
  schema: Schema,
  environment?: Environment,
): z.output<Schema> {
  try {
    return readSettings(schema, environment);
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    createLogger(name).fatal(error.message);
    process.exit(1);
  }
}

const MS_PER_UNIT = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 } as const;

/** At most 24 h. The label is part of the retry queues' names (interface §8). */
export const duration = z
  .string()
  .regex(/^[1-9][0-9]{0,8}(ms|s|m|h)$/, "must be a number and a unit: 200ms, 5s, 1m or 4h")
  .transform((label) => {
    const [, amount = "", unit = ""] = /^(\d+)(.+)$/.exec(label) ?? [];
    return { label, ms: Number(amount) * MS_PER_UNIT[unit as keyof typeof MS_PER_UNIT] };
  })
  .refine(({ ms }) => ms <= 24 * MS_PER_UNIT.h, "must be at most 24h");

/** It must name the database. */
export const databaseUrl = urlOf(
  ["postgres:", "postgresql:"],
  "must be the URL of a database: postgres://login:password@host:5432/name",
  (url) => url.pathname.length > 1 && (url.host !== "" || url.searchParams.has("host")),
);

const oneBrokerUrl = urlOf(
  ["amqp:", "amqps:"],
  "must be a URL, or several separated by commas: amqp://login:password@host:5672/vhost",
  hasHost,
);

/** One or several addresses, separated by commas; `brokerUrls` splits them. */
export const brokerUrl: z.ZodType<string, string> = z
  .string()
  .superRefine((setting, context) => {
    const vhosts = new Set<string>();
    for (const address of brokerUrls(setting)) {
      const [issue] = oneBrokerUrl.safeParse(address).error?.issues ?? [];
      if (issue !== undefined) return context.addIssue(issue.message);
      vhosts.add(new URL(address).pathname);
    }
    if (vhosts.size > 1) context.addIssue("must name the same virtual host in each address");
  })
  .describe(
    "`amqp://…` or `amqps://…` with the service's own user; several, comma-separated, are tried in turn",
  );

export const loginDatabaseUrl = databaseUrl.describe(
  "`postgres://…` with the service's login, not the owner's",
);

const certificateFile = z.string().refine((file) => {
  try {
    return readFileSync(file, "utf8").includes("-----BEGIN CERTIFICATE-----");
  } catch {
    return false;
  }
}, "must be the path of a readable file with certificates in PEM");

export const redisUrl = urlOf(["redis:", "rediss:"], "must be a URL: redis://host:6379", hasHost);

/** Without a login, because `fetch` repeats it in errors, which are logged. */
export const httpUrl = urlOf(
  ["http:", "https:"],
  "must be a URL without login and query: http://host:port",
  hasNoLoginOrQuery,
);

export const serviceUrl = urlOf(
  ["http:", "https:"],
  "must be a URL without login and path: http://host:port",
  (url) => hasNoLoginOrQuery(url) && url.pathname === "/",
);

function hasNoLoginOrQuery(url: URL): boolean {
  return hasHost(url) && `${url.username}${url.password}${url.search}${url.hash}` === "";
}

function hasHost({ host }: URL): boolean {
  return host !== "";
}

function urlOf(
  protocols: readonly string[],
  message: string,
  isSuitable: (url: URL) => boolean,
): z.ZodType<string, string> {
  return z.string().refine((text) => {
    const url = URL.parse(text);
    return url !== null && protocols.includes(url.protocol) && isSuitable(url);
  }, message);
}

/** The schema of a number in decimal digits: a space or a unit would be read as another number. */
export function wholeNumber(min: number, max: number) {
  const message = `must be a whole number from ${min} to ${max}`;
  return z
    .string()
    .regex(/^\d{1,15}$/, message)
    .transform(Number)
    .refine((number) => number >= min && number <= max, message);
}

export const port = wholeNumber(0, 65_535);

export const logLevel = z
  .enum(["silent", "fatal", "error", "warn", "info", "debug", "trace"])
  .default("info")
  .describe("`silent` to `trace`");

/** Descriptions are for the table in the service's README. */
export const serviceSettings = (defaultPort: number) => ({
  HOST: z.string().default("127.0.0.1").describe("the address to listen on"),
  PORT: port.default(defaultPort).describe("the port; 0 chooses a free one"),
  DRAIN_IDLE_MS: wholeNumber(0, 60_000)
    .default(5_000)
    .describe(
      "how long the service goes on serving after SIGTERM while `/readyz` says `stopping`; longer than load balancers take to notice",
    ),
  LOG_LEVEL: logLevel,
  OTEL_EXPORTER_OTLP_ENDPOINT: httpUrl
    .optional()
    .describe("`http://host:4318` of an OpenTelemetry collector, for spans over OTLP/HTTP; none by default"),
  POSTGRES_PREPARE: z
    .stringbool({ truthy: ["true"], falsy: ["false"], error: "must be true or false" })
    .default(true)
    .describe("false for a Postgres pooler that cannot carry prepared statements"),
  POSTGRES_POOLER: z
    .enum(["none", "transaction"], { error: "must be none or transaction" })
    .default("none")
    .describe("`transaction` for a pooler in transaction mode, such as PgBouncer, in front of Postgres"),
  POSTGRES_CA_FILE: certificateFile
    .optional()
    .describe("file of the authority of its certificate; then only TLS, unless the address has an `sslmode`"),
  AMQP_CA_FILE: certificateFile
    .optional()
    .describe("file of the authority of the broker's certificate, for `amqps`"),
});

/** The settings of a service's migrations. The running service never has the owner's credentials. */
export const migrationSettings = (service: string) =>
  z.object({
    [`${service.toUpperCase()}_OWNER_DATABASE_URL`]: databaseUrl,
    POSTGRES_CA_FILE: certificateFile.optional(),
    LOG_LEVEL: logLevel,
  });

const sharedSecret = z.string().min(32, "must be at least 32 characters");

/** The first signs, all are accepted (interface §3). */
export const sharedSecrets = z
  .string()
  .transform((list) => list.split(","))
  .pipe(z.tuple([sharedSecret], sharedSecret));

export const gatewaySecrets = sharedSecrets.describe(
  "shared with the gateway, at least 32 characters. `new,old` accepts both, to [replace it](../../docs/runbooks/rotating-secrets.md#gateway-secrets)",
);

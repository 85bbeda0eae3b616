// Reads a service's settings from the environment through its one zod schema; the only place in the
// product that touches process.env.
import { z } from "zod";

/** Thrown when settings are missing or wrong; its message names every fault, one a line, never a value. */
export class SettingsError extends Error {
  override readonly name = "SettingsError";
}

/**
 * Reads settings and names all faults at once.
 * In: a zod object schema whose keys are the environment's names; the environment (the process's own unless given).
 * Out: the parsed settings. Throws SettingsError. An empty string counts as not set.
 * Carries out contract §9, "Settings".
 */
export function readSettings<Schema extends z.ZodObject>(
  schema: Schema,
  environment: Record<string, string | undefined> = process.env,
): z.output<Schema> {
  const given = Object.entries(environment).filter(([name, value]) => name in schema.shape && value !== "");
  const parsed = schema.safeParse(Object.fromEntries(given));
  if (parsed.success) return parsed.data;
  const faults = parsed.error.issues.map((issue) => `  ${issue.path.join(".")}: ${issue.message}`);
  throw new SettingsError(`These settings are missing or wrong:\n${faults.join("\n")}`);
}

/** The same for a program at its start: prints all faults and exits 1. */
export function readSettingsOrExit<Schema extends z.ZodObject>(schema: Schema): z.output<Schema> {
  try {
    return readSettings(schema);
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exit(1);
  }
}

const MS_PER_UNIT = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 } as const;

/**
 * A wait as people write it: `200ms`, `5s`, `1m`, `4h`. Out: `{label, ms}`, the label being what was written
 * (queues are named by it, contract §8). Bounded to 24 h: RabbitMQ's timers and people's patience end there.
 */
export const duration = z
  .string()
  .regex(/^[1-9][0-9]{0,8}(ms|s|m|h)$/, "must be a number and a unit: 200ms, 5s, 1m or 4h")
  .transform((label) => {
    const [, amount = "", unit = ""] = /^(\d+)(.+)$/.exec(label) ?? [];
    return { label, ms: Number(amount) * MS_PER_UNIT[unit as keyof typeof MS_PER_UNIT] };
  })
  .refine((wait) => wait.ms <= 24 * MS_PER_UNIT.h, "must be at most 24h");

/** A TCP port; 0 chooses a free one. */
export const port = z.coerce.number().int().min(0).max(65_535);

export const logLevel = z
  .enum(["silent", "fatal", "error", "warn", "info", "debug", "trace"])
  .default("info");

/** What every service has: spread it into the service's schema. */
export const serviceSettings = (defaultPort: number) => ({
  HOST: z.string().default("127.0.0.1"),
  PORT: port.default(defaultPort),
  /** How long idle connections stay open while stopping; longer than clients' pools keep theirs. */
  DRAIN_IDLE_MS: z.coerce.number().int().min(0).max(60_000).default(5_000),
  LOG_LEVEL: logLevel,
});

/** A secret that two services share. */
export const sharedSecret = z.string().min(32, "must be at least 32 characters");

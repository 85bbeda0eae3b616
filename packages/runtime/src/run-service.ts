// The code that every service's main.ts shares: settings, logger, start, signals, stop.
import { flushCompileCache } from "node:module";
import type { z } from "zod";
import { collectAtRest } from "./collect-at-rest.ts";
import { createLogger, type Logger } from "./logger.ts";
import { RELEASE, REVISION } from "./release.ts";
import { readSettingsOrExit, type serviceSettings } from "./settings.ts";
import { shownSettings, unknownSettings } from "./shown-settings.ts";
import { sleep } from "./sleep.ts";
import { StartError } from "./start-error.ts";

// The time for the work that is still in progress when `DRAIN_IDLE_MS` is over.
const STOP_MS = 15_000;
// A start that takes longer is waiting for its database, and may wait forever.
const START_GRACE_MS = 1_000;

interface Running {
  /** The newest migration that has run on the service's database. */
  readonly migration?: string | undefined;
  stop(): Promise<void>;
}

/** A service whose settings have been read. */
interface ReadService {
  readonly logger: Logger;
  /** How long a stop may take. */
  readonly stopMs: number;
  /** The settings that differ from the default, without secrets. */
  readonly shown: Readonly<Record<string, string>>;
  start(): Promise<Running>;
}

/**
 * Runs a service until SIGTERM or SIGINT. `start` resolves when the service is up.
 *
 * Exits with 0 after a stop. Exits with 1 if settings are missing or wrong (one line has all faults), if `start` rejects (a
 * `StartError` is logged as one sentence), after an uncaught exception (a process in an unknown state may lose data), after a
 * second signal, and if the stop takes longer than `DRAIN_IDLE_MS` and `stopMs` (15 s by default). A service that is still starting
 * exits within 1 s of the signal.
 */
export async function runService<Schema extends z.ZodObject<ReturnType<typeof serviceSettings>>>(
  name: string,
  schema: Schema,
  start: (settings: z.output<Schema>, logger: Logger) => Promise<Running>,
  stopMs?: (settings: z.output<Schema>) => number,
): Promise<void> {
  await runServices([readService({ name, schema, start, stopMs })]);
}

/** Reads a service's settings from `environment`, by default the process's own. Exits with 1 if they are missing or wrong. */
export function readService<Schema extends z.ZodObject<ReturnType<typeof serviceSettings>>>({
  name,
  schema,
  start,
  stopMs = () => STOP_MS,
  environment = process.env,
}: {
  name: string;
  schema: Schema;
  start: (settings: z.output<Schema>, logger: Logger) => Promise<Running>;
  stopMs?: ((settings: z.output<Schema>) => number) | undefined;
  environment?: NodeJS.ProcessEnv;
}): ReadService {
  const settings = readSettingsOrExit(name, schema, environment);
  const logger = createLogger(name, settings.LOG_LEVEL);
  const variables = unknownSettings(name, schema, environment);
  if (variables.length > 0) logger.warn({ variables }, "these variables are no settings; are they misspelt?");
  return {
    logger,
    stopMs: settings.DRAIN_IDLE_MS + stopMs(settings),
    shown: shownSettings(schema, environment, settings),
    start: () => start(settings, logger),
  };
}

/**
 * Runs services in this process, as `runService` does with one. They start at the same time. The first one stops before the
 * others: list the service that sends requests to the others first. If one fails, the process ends.
 */
export async function runServices(services: readonly [ReadService, ...ReadService[]]): Promise<void> {
  const [{ logger, stopMs }, ...others] = services;
  process.on("uncaughtException", (error) => {
    logger.fatal({ err: error }, "uncaught exception");
    process.exit(1);
  });

  const starting = services.map((service) => service.start());
  const deadlineMs = stopMs + Math.max(0, ...others.map((service) => service.stopMs));
  let isStopping = false;
  const stop = async (signal: string) => {
    if (isStopping) process.exit(1);
    isStopping = true;
    for (const service of services) service.logger.info({ signal }, "stopping");
    setTimeout(() => {
      logger.error({ deadlineMs }, "could not stop in time");
      process.exit(1);
    }, deadlineMs).unref();
    const grace = sleep(START_GRACE_MS).then(() => "starting" as const);
    const stopOne = async (one: (typeof starting)[number]) => {
      const started = await Promise.race([one, grace]);
      // A service that has not started has accepted no requests.
      if (started !== "starting") await started.stop();
    };
    const [first, ...rest] = starting;
    const results = await Promise.allSettled([first].filter((one) => one !== undefined).map(stopOne));
    results.push(...(await Promise.allSettled(rest.map(stopOne))));
    for (const [index, result] of results.entries()) {
      const service = services[index] as ReadService;
      if (result.status === "fulfilled") service.logger.info("stopped");
      else service.logger.fatal({ err: result.reason }, "could not stop");
    }
    process.exit(results.every(({ status }) => status === "fulfilled") ? 0 : 1);
  };
  process.on("SIGTERM", () => void stop("SIGTERM"));
  process.on("SIGINT", () => void stop("SIGINT"));
  await Promise.all(
    starting.map(async (one, index) => {
      const service = services[index] as ReadService;
      const { migration } = await one.catch((error: unknown) => {
        if (error instanceof StartError) service.logger.fatal(error.message);
        else service.logger.fatal({ err: error }, "could not start");
        process.exit(1);
      });
      service.logger.info(
        { release: RELEASE, revision: REVISION, migration, settings: { environment: service.shown } },
        "started",
      );
    }),
  );
  // Writes the compile cache, if NODE_COMPILE_CACHE is set, so that it exists even if the process is killed later.
  flushCompileCache();
  collectAtRest();
}

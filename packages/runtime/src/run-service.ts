import { readFileSync } from "node:fs";
import { flushCompileCache } from "node:module";
import { performance } from "node:perf_hooks";
import { getHeapStatistics } from "node:v8";
import type { z } from "zod";
import type { Environment } from "./environment-of.ts";
import { createLogger, type Logger } from "./logger.ts";
import { type logLevel, readSettingsOrExit, type serviceSettings } from "./settings.ts";
import { shownSettings, unknownSettings } from "./shown-settings.ts";
import { sleep } from "./waits.ts";

// The time for the work that is still in progress when `DRAIN_IDLE_MS` is over.
const STOP_MS = 15_000;
// A start that takes longer is waiting for its database, and may wait forever.
const START_GRACE_MS = 1_000;

interface Running {
  readonly migration?: string | undefined;
  stop(): Promise<void>;
}

type ReadService = ReturnType<typeof readService>;

/** `start` resolves when the service is up. Exits with 1 if settings are missing or wrong: one line has all faults. */
export function readService<Schema extends z.ZodObject<ReturnType<typeof serviceSettings>>>(
  name: string,
  schema: Schema,
  start: (settings: z.output<Schema>, logger: Logger) => Promise<Running>,
  {
    stopMs = () => STOP_MS,
    environment = process.env,
  }: { stopMs?: (settings: z.output<Schema>) => number; environment?: Environment } = {},
) {
  const settings = readSettingsOrExit(name, schema, environment);
  const logger = createLogger(name, settings.LOG_LEVEL);
  const variables = unknownSettings(name, schema, environment);
  if (variables.length > 0) logger.warn({ variables }, "these variables are no settings; are they misspelt?");
  return {
    logger,
    stopMs: settings.DRAIN_IDLE_MS + stopMs(settings),
    /** The settings that differ from the default, without secrets. */
    shown: shownSettings(schema, environment),
    start: () => start(settings, logger),
  };
}

/**
 * Runs services in this process until SIGTERM or SIGINT. They start at the same time; the first stops before the others: list the
 * service that sends requests to the others first. If one fails, the process ends.
 *
 * Exits with 0 after a stop, and with 1 if a `start` rejects (a `StartError` is logged as one sentence), after an uncaught exception,
 * after a second signal, and if the stop takes longer than `DRAIN_IDLE_MS` and `stopMs` (15 s by default). A service that is still
 * starting exits within 1 s of the signal.
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
  // The compile cache then exists even if the process is killed later.
  flushCompileCache();
  collectAtRest();
}

/** Exits with 0 when the work is done, with 1 if it fails or settings are missing or wrong. */
export async function runTask<Schema extends z.ZodObject<{ LOG_LEVEL: typeof logLevel }>>(
  name: string,
  schema: Schema,
  work: (settings: z.output<Schema>, logger: Logger) => Promise<void>,
): Promise<never> {
  const settings = readSettingsOrExit(name, schema);
  const logger = createLogger(name, settings.LOG_LEVEL);
  try {
    await work(settings, logger);
  } catch (error) {
    if (error instanceof StartError) logger.fatal(error.message);
    else logger.fatal({ err: error }, "failed");
    process.exit(1);
  }
  process.exit(0);
}

const heapBytes = () => getHeapStatistics().total_heap_size;

const LOOK_EVERY_MS = 30_000;
/** The share of the time that the event loop is busy. A service without requests stays below a hundredth. */
const BUSY_AT_REST_MAX = 0.02;
/** A collection stops the process for 30 ms or more. */
const GROWTH_MIN_BYTES = 8 * 1024 * 1024;

/** Collects garbage at rest, because V8 collects only when a process allocates. Needs `--expose-gc`. */
export function collectAtRest(lookEveryMs = LOOK_EVERY_MS): void {
  const { gc } = globalThis;
  if (gc === undefined) return;
  let last = performance.eventLoopUtilization();
  let sizeAfterCollection = 0;
  setInterval(() => {
    const { utilization } = performance.eventLoopUtilization(last);
    last = performance.eventLoopUtilization();
    if (utilization > BUSY_AT_REST_MAX) return;
    if (heapBytes() < sizeAfterCollection + GROWTH_MIN_BYTES) return;
    // Any other collection keeps the freed pages for later.
    gc({ type: "major", flavor: "last-resort" });
    sizeAfterCollection = heapBytes();
  }, lookEveryMs).unref();
}

/** Its message is one sentence, without a secret, about what a person has to change. Printed without a stack; the exit status is 1. */
export class StartError extends Error {
  override readonly name = "StartError";
}

/** All packages and services share it. */
export const RELEASE = (
  JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8")) as { version: string }
).version;

/** The commit that the image was built from, if known. */
export const REVISION = process.env.REVISION || "unknown";

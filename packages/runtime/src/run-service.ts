// The code that every service's main.ts shares: settings, logger, start, signals, stop.
import { flushCompileCache } from "node:module";
import type { z } from "zod";
import { createLogger, type Logger } from "./logger.ts";
import { readSettingsOrExit, type serviceSettings } from "./settings.ts";
import { sleep } from "./sleep.ts";
import { StartError } from "./start-error.ts";

// The time for the work that is still in progress when `DRAIN_IDLE_MS` is over.
const STOP_MS = 15_000;
// A start that takes longer is waiting for its database, and may wait forever.
const START_GRACE_MS = 1_000;

interface Running {
  stop(): Promise<void>;
}

/**
 * Runs a service until SIGTERM or SIGINT. `start` resolves when the service is up.
 *
 * Exits with 0 after a stop. Exits with 1 if settings are missing or wrong (all faults are printed), if `start` rejects (a
 * `StartError` is logged as one sentence), after an uncaught exception (a process in an unknown state may lose data), after a
 * second signal, and if the stop takes longer than `DRAIN_IDLE_MS` and `stopMs` (15 s by default). A service that is still starting
 * exits within 1 s of the signal.
 */
export async function runService<Schema extends z.ZodObject<ReturnType<typeof serviceSettings>>>(
  name: string,
  schema: Schema,
  start: (settings: z.output<Schema>, logger: Logger) => Promise<Running>,
  stopMs: (settings: z.output<Schema>) => number = () => STOP_MS,
): Promise<void> {
  const settings = readSettingsOrExit(schema);
  const deadlineMs = settings.DRAIN_IDLE_MS + stopMs(settings);
  const logger = createLogger(name, settings.LOG_LEVEL);
  process.on("uncaughtException", (error) => {
    logger.fatal({ err: error }, "uncaught exception");
    process.exit(1);
  });

  const starting = start(settings, logger);
  let isStopping = false;
  const stop = async (signal: string) => {
    if (isStopping) process.exit(1);
    isStopping = true;
    logger.info({ signal }, "stopping");
    setTimeout(() => {
      logger.error({ deadlineMs }, "could not stop in time");
      process.exit(1);
    }, deadlineMs).unref();
    const running = await Promise.race([starting, sleep(START_GRACE_MS).then(() => "starting" as const)]);
    // A service that has not started has accepted no requests.
    if (running !== "starting") await running.stop();
    logger.info("stopped");
    process.exit(0);
  };
  process.on("SIGTERM", () => void stop("SIGTERM"));
  process.on("SIGINT", () => void stop("SIGINT"));
  await starting.catch((error: unknown) => {
    if (error instanceof StartError) logger.fatal(error.message);
    else logger.fatal({ err: error }, "could not start");
    process.exit(1);
  });
  logger.info("started");
  // Writes the compile cache, if NODE_COMPILE_CACHE is set, so that it exists even if the process is killed later.
  flushCompileCache();
}

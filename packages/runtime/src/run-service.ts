// Runs a service until it is told to stop: settings, logger, start, signal, stop. Every main.ts is one call of this.
import { flushCompileCache } from "node:module";
import type { z } from "zod";
import { createLogger, type Logger } from "./logger.ts";
import { readSettingsOrExit, type serviceSettings } from "./settings.ts";
import { sleep } from "./sleep.ts";

// A little under the 10 s that orchestrators commonly grant before they kill.
const STOP_DEADLINE_MS = 9_000;
// A start that takes longer than this waits for a database, which may take for ever.
const START_GRACE_MS = 1_000;

interface Running {
  stop(): Promise<void>;
}

/**
 * In: the service's name, its settings schema, and `start`, which resolves once the service is up.
 * SIGTERM or SIGINT stops it and exits 0; a second signal, or a stop that takes longer than 9 s, exits 1. One that is
 * still starting exits after 1 s at most.
 * Wrong settings are printed, all of them, and exit 1. Anything that nobody caught is logged and exits 1:
 * the process that continues in an unknown state is the one that loses data.
 */
export async function runService<Schema extends z.ZodObject<ReturnType<typeof serviceSettings>>>(
  name: string,
  schema: Schema,
  start: (settings: z.output<Schema>, logger: Logger) => Promise<Running>,
): Promise<void> {
  const settings = readSettingsOrExit(schema);
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
      logger.error({ deadlineMs: STOP_DEADLINE_MS }, "could not stop in time");
      process.exit(1);
    }, STOP_DEADLINE_MS).unref();
    const running = await Promise.race([starting, sleep(START_GRACE_MS).then(() => "starting" as const)]);
    // Until it has started, a service accepts no request that it could lose.
    if (running !== "starting") await running.stop();
    logger.info("stopped");
    process.exit(0);
  };
  process.on("SIGTERM", () => void stop("SIGTERM"));
  process.on("SIGINT", () => void stop("SIGINT"));
  await starting;
  logger.info("started");
  // Where there is a cache (NODE_COMPILE_CACHE), even a process that is killed leaves it for the next.
  flushCompileCache();
}

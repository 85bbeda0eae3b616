// The code that programs which run once share, such as migrations: settings, logger, work, exit status.
import type { z } from "zod";
import { createLogger, type Logger } from "./logger.ts";
import { type logLevel, readSettingsOrExit } from "./settings.ts";
import { StartError } from "./start-error.ts";

/**
 * Runs `work` once and exits: with 0 when it is done, with 1 if it fails (the error is logged) or if settings are missing or wrong
 * (one line has all faults).
 */
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

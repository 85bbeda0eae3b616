// Runs a piece of work once, as a program of its own: settings, logger, the work, the exit status.
import type { z } from "zod";
import { createLogger, type Logger } from "./logger.ts";
import { type logLevel, readSettingsOrExit } from "./settings.ts";

/**
 * In: the program's name, its settings schema, and the work. Exits 0 when the work is done. Exits 1 if settings are
 * wrong, and prints all faults; exits 1 if the work fails, and logs why.
 */
export async function runTask<Schema extends z.ZodObject<{ LOG_LEVEL: typeof logLevel }>>(
  name: string,
  schema: Schema,
  work: (settings: z.output<Schema>, logger: Logger) => Promise<void>,
): Promise<never> {
  const settings = readSettingsOrExit(schema);
  const logger = createLogger(name, settings.LOG_LEVEL);
  try {
    await work(settings, logger);
  } catch (error) {
    logger.fatal({ err: error }, "failed");
    process.exit(1);
  }
  process.exit(0);
}

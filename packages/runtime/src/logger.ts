// One JSON line for each thing that happened, written by pino; every line carries its service and request id.
import { type Logger as PinoLogger, pino } from "pino";
import { currentRequestId } from "./correlation.ts";

export type Logger = PinoLogger;

// Whatever is logged under these names is a secret; the last line of defence, not the first.
const SECRET_FIELDS = ["password", "signingSecret", "secret", "token", "key", "authorization"];

/** In: the service's name and a pino level (`silent` in tests). Out: a logger to standard output. */
export function createLogger(service: string, level = "info"): Logger {
  return pino({
    level,
    base: { service },
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label) => ({ level: label }) },
    redact: SECRET_FIELDS.flatMap((field) => [field, `*.${field}`]),
    mixin: () => {
      const requestId = currentRequestId();
      return requestId === undefined ? {} : { requestId };
    },
  });
}

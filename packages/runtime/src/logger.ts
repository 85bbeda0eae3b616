// One JSON line for each thing that happened, written by pino; every line carries its service and request id.
import { type LoggerOptions, type Logger as PinoLogger, pino } from "pino";
import { currentRequestId } from "./correlation.ts";

export type Logger = PinoLogger;

// Whatever is logged under these names is a secret; the last line of defence, not the first.
const SECRET_FIELDS = ["password", "signingSecret", "secret", "token", "key", "authorization"];

// Lines are written together, this often at the latest: a write for each would cost as much as all the rest of a small
// request. What is worse than information is written at once, and with it all that came before.
const WRITE_EVERY_MS = 100;
const WRITE_BYTES = 8 * 1024;
const WARN = 40;

/** For lines that contain known fields only, because searching a line for secrets costs as much as writing it. */
export function withoutRedaction(logger: Logger): Logger {
  return logger.child({}, { redact: [] });
}

/** In: the service's name and a pino level (`silent` in tests). Out: a logger to standard output. */
export function createLogger(service: string, level = "info"): Logger {
  if (level === "silent") return pino({ level });
  const output = pino.destination({ sync: false, minLength: WRITE_BYTES, periodicFlush: WRITE_EVERY_MS });
  const options: LoggerOptions = {
    level,
    base: { service },
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label) => ({ level: label }) },
    redact: SECRET_FIELDS.flatMap((field) => [field, `*.${field}`]),
    mixin: () => {
      const requestId = currentRequestId();
      return requestId === undefined ? {} : { requestId };
    },
    hooks: {
      logMethod(line, write, lineLevel) {
        write.apply(this, line);
        if (lineLevel >= WARN) output.flush();
      },
    },
  };
  return pino(options, output);
}

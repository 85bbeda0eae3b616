// The log of a service: one JSON line for each event, with the service and the request id.
import { type LoggerOptions, type Logger as PinoLogger, pino } from "pino";
import { currentRequestId } from "./with-request-id.ts";

/** A pino logger. */
export type Logger = PinoLogger;

// Values of these fields are redacted. Code must not log secrets in the first place.
const SECRET_FIELDS = ["password", "signingSecret", "secret", "token", "key", "authorization"];

// Lines are buffered, because one write each would double the cost of a small request. A warning or an error flushes the
// buffer at once. The timer runs only while lines are buffered, so that a service without work is not woken.
const WRITE_AFTER_MS = 100;
const WRITE_BYTES = 8 * 1024;
const WARN = 40;

/**
 * Returns a logger without redaction, for lines that contain known fields only: searching a line for secrets costs as much
 * as writing it.
 */
export function withoutRedaction(logger: Logger): Logger {
  return logger.child({}, { redact: [] });
}

/**
 * Returns a logger to standard output. `level` is one of pino's levels, or `silent`. With `write`, which tests use, it gets each
 * line instead.
 */
export function createLogger(service: string, level = "info", write?: (line: string) => void): Logger {
  if (level === "silent") return pino({ level });
  const output =
    write === undefined
      ? pino.destination({ sync: false, minLength: WRITE_BYTES })
      : { write, flush: () => undefined };
  let timer: NodeJS.Timeout | undefined;
  const flush = () => {
    clearTimeout(timer);
    timer = undefined;
    output.flush();
  };
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
        if (lineLevel >= WARN) flush();
        else timer ??= setTimeout(flush, WRITE_AFTER_MS).unref();
      },
    },
  };
  return pino(options, output);
}

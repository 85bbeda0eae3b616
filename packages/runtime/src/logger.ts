import { AsyncLocalStorage } from "node:async_hooks";
import { type LoggerOptions, type Logger as PinoLogger, pino } from "pino";
import { type LogOutput, logOutput } from "./log-output.ts";

export type Logger = PinoLogger;

// Values of these fields are redacted. Code must not log secrets in the first place.
const SECRET_FIELDS = ["password", "signingSecret", "secret", "token", "key", "authorization"];

// A warning is written at once, with the lines before it. The timer runs only while lines are kept.
const WRITE_AFTER_MS = 100;
const WARN = 40;
const STDOUT = 1;

/** Shared by the loggers of a process, so that their lines are never mixed. */
let standardOutput: LogOutput | undefined;

/** Returns a logger for lines with known fields only: searching a line for secrets costs as much as writing it. */
export function withoutRedaction(logger: Logger): Logger {
  return logger.child({}, { redact: [] });
}

/** Logs to standard output. `level` is one of pino's, or `silent`. In tests `write` gets each line instead. */
export function createLogger(service: string, level = "info", write?: (line: string) => void): Logger {
  if (level === "silent") return pino({ level });
  const toStandardOutput = () => {
    standardOutput ??= logOutput(STDOUT, (lines) =>
      logger.warn({ lines }, "the log has a gap: standard output took no lines"),
    );
    return standardOutput;
  };
  const output = write === undefined ? toStandardOutput() : { write, flush: () => undefined };
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
      const { requestId } = requests.getStore() ?? {};
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
  const logger = pino(options, output);
  return logger;
}

const requests = new AsyncLocalStorage<{ requestId: string; traceparent: string | undefined }>();

/** Runs `work` so that each of its log lines has the request id (interface §1). `traceparent` is the parent of its spans. */
export function withRequestId<T>(requestId: string, work: () => T, traceparent?: string): T {
  return requests.run({ requestId, traceparent }, work);
}

/** Undefined outside a request. */
export function currentTraceparent(): string | undefined {
  return requests.getStore()?.traceparent;
}

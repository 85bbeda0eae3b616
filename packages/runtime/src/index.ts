// The public surface of runtime: see README.md.

export { type BackoffLimits, backoff } from "./backoff.ts";
export { batch } from "./batch.ts";
export { idleWait } from "./idle-wait.ts";
export { createLogger, type Logger, withoutRedaction } from "./logger.ts";
export { createMetrics, type Metrics, type ReadSamples, type Sample } from "./metrics.ts";
export { newId } from "./new-id.ts";
export { RELEASE, REVISION } from "./release.ts";
export { type Repetition, repeat } from "./repeat.ts";
export { readService, runService, runServices } from "./run-service.ts";
export { runTask } from "./run-task.ts";
export { brokerUrls, databaseAddress, hasPooler, vhostOf, withBrokerCa } from "./server-addresses.ts";
export {
  brokerUrl,
  certificateFile,
  databaseUrl,
  duration,
  gatewaySecrets,
  httpUrl,
  loginDatabaseUrl,
  logLevel,
  port,
  readSettings,
  redisUrl,
  SettingsError,
  serviceSettings,
  serviceUrl,
  sharedSecret,
  sharedSecrets,
  wholeNumber,
} from "./settings.ts";
export { settlesWithin } from "./settles-within.ts";
export { sharedRead } from "./shared-read.ts";
export { sleep } from "./sleep.ts";
export { StartError } from "./start-error.ts";
export { childTraceparent, isTraceparent, newTraceparent, traceIdOf } from "./traceparent.ts";
export { NO_TRACER, type Span, startTracer, type Tracer } from "./tracer.ts";
export { withDeadline } from "./with-deadline.ts";
export { currentRequestId, currentTraceparent, withRequestId } from "./with-request-id.ts";
export { yieldPeriodically } from "./yield-periodically.ts";

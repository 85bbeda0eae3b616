// The runtime's public surface: what every service needs before it can do its own work.

export { type BackoffLimits, backoff } from "./backoff.ts";
export { batch } from "./batch.ts";
export { canonicalJson } from "./canonical-json.ts";
export { currentRequestId, withRequestId } from "./correlation.ts";
export { isRawNumber, parseJson } from "./exact-json.ts";
export { newId } from "./id.ts";
export { isNestedDeeper, JSON_DEPTH_MAX } from "./json-depth.ts";
export { createLogger, type Logger, withoutRedaction } from "./logger.ts";
export { createMetrics, type Metrics } from "./metrics.ts";
export { type Repetition, repeat } from "./repeat.ts";
export { runService } from "./run-service.ts";
export { runTask } from "./run-task.ts";
export {
  duration,
  logLevel,
  port,
  readSettings,
  SettingsError,
  serviceSettings,
  sharedSecret,
} from "./settings.ts";
export { settlesWithin } from "./settles-within.ts";
export { sleep } from "./sleep.ts";
export { childTraceparent, isTraceparent, newTraceparent } from "./trace.ts";
export { yieldPeriodically } from "./yield-periodically.ts";

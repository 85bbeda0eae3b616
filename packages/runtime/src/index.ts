export { batch, freshFor, lingerMs, sharedRead } from "./batch.ts";
export { type Environment, environmentOf } from "./environment-of.ts";
export * from "./logger.ts";
export { createMetrics, type Metrics } from "./metrics.ts";
export { newId } from "./new-id.ts";
export * from "./repeat.ts";
export {
  RELEASE,
  REVISION,
  readService,
  runServices,
  runTask,
  StartError,
} from "./run-service.ts";
export { brokerUrls, databaseAddress, hasPooler, vhostOf, withBrokerCa } from "./server-addresses.ts";
export {
  brokerUrl,
  duration,
  gatewaySecrets,
  httpUrl,
  loginDatabaseUrl,
  migrationSettings,
  port,
  readSettings,
  redisUrl,
  SettingsError,
  serviceSettings,
  serviceUrl,
  sharedSecrets,
  wholeNumber,
} from "./settings.ts";
export { showSettings, unknownSettings } from "./shown-settings.ts";
export { childTraceparent, isTraceparent, newTraceparent, traceIdOf } from "./traceparent.ts";
export { NO_TRACER, type Span, startTracer, type Tracer } from "./tracer.ts";
export {
  backoff,
  settlesWithin,
  sleep,
  withDeadline,
  yieldPeriodically,
} from "./waits.ts";

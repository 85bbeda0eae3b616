export * from "./about.ts";
export {
  ApiError,
  type ErrorCode,
  errorBody,
  type FieldFault,
  invalid,
  notFound,
  required,
  statusOf,
} from "./api-error.ts";
export { type ApiResponse, accepted, created, listed, ok, type Refusal } from "./api-response.ts";
export { etagOf, isKnown, requireMatch } from "./conditional-requests.ts";
export * from "./cursor-page.ts";
export { type ExportPage, type ExportQuery, exporter, exportQuery } from "./export.ts";
export * from "./fields.ts";
export type { IdempotencyKey } from "./idempotency.ts";
export { type AcquireSlot, inFlightLimit } from "./in-flight-limit.ts";
export { anyOf, ids } from "./list-filters.ts";
export { behindGateway, openService } from "./open-service.ts";
export * from "./principal.ts";
export type { Readiness } from "./probes.ts";
export { readJsonText } from "./read-body.ts";
export {
  BODY_BYTES_MAX,
  cutShort,
  hasTooManyChunks,
  LARGE_BODY_BYTES_PER_CHUNK_MIN,
  readBytes,
  tooManyChunks,
} from "./read-bytes.ts";
export { refusedSignatures } from "./refused-signatures.ts";
export {
  type EndOfWait,
  endOfWait,
  type Identify,
  isRequestId,
  type RequestContext,
} from "./request-context.ts";
export type { FinishedRequest } from "./respond.ts";
export { type ApiRequest, bodyOf, type Route, route } from "./route.ts";
export { serveHttp } from "./serve-http.ts";
export * from "./serve-page.ts";
export { identifyBySignature, principalHeaders, REFUSED_HEADER } from "./signed-principal.ts";
export { type Listener, startListening } from "./start-listening.ts";
export { type Validate, validate, validateNew } from "./validate.ts";
export { discard } from "./write-response.ts";

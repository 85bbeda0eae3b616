// The public surface of http: see README.md.

export {
  type About,
  bareJson,
  data,
  type ErrorWithFields,
  feed,
  file,
  page,
  QUOTA_EXCEEDED,
  type ResponseShape,
} from "./about.ts";
export {
  ApiError,
  type ErrorCode,
  errorBody,
  type FieldFault,
  invalid,
  notFound,
  statusOf,
} from "./api-error.ts";
export { type ApiResponse, accepted, created, listed, ok } from "./api-response.ts";
export { AUDIT_TALLY_PATH, auditTally, auditTallyRoute } from "./audit-tally-route.ts";
export type { OpenToOrigins } from "./cross-origin.ts";
export {
  cursorOf,
  cursorPage,
  type ListPage,
  type PageQuery,
  type Position,
  pageOnly,
  pageQuery,
} from "./cursor-page.ts";
export { type EndOfWait, endOfWait } from "./end-of-wait.ts";
export { type ExportPage, type ExportQuery, exporter, exportQuery } from "./export.ts";
export {
  controlFault,
  email,
  isJsonWithin,
  jsonObject,
  languageTag,
  metadata,
  name,
  storableTime,
  text,
  timestamp,
} from "./fields.ts";
export { hasTooManyChunks, LARGE_BODY_BYTES_PER_CHUNK_MIN } from "./has-too-many-chunks.ts";
export type { IdempotencyKey } from "./idempotency.ts";
export { etagOf, requireMatch } from "./if-match.ts";
export { type AcquireSlot, inFlightLimit } from "./in-flight-limit.ts";
export { behindGateway, type OpeningService, openService } from "./open-service.ts";
export { permit, type Requirement } from "./permit.ts";
export {
  type Client,
  type Principal,
  type Quota,
  quotas,
  type Role,
  roles,
  type Scope,
  scopes,
} from "./principal.ts";
export type { Readiness } from "./probes.ts";
export { readJsonBody } from "./read-body.ts";
export { BODY_BYTES_MAX, cutShort, readBytes, tooManyChunks } from "./read-bytes.ts";
export { type ReportRefused, refusedSignatures, type SignatureFault } from "./refused-signatures.ts";
export type { Identify, RequestContext } from "./request-context.ts";
export type { FinishedRequest } from "./respond.ts";
export { type ApiRequest, bodyOf, type Route, route } from "./route.ts";
export { searchedPage } from "./searched-page.ts";
export { type HttpServer, serveHttp } from "./serve-http.ts";
export type { Page } from "./serve-page.ts";
export { shaped, shapeOf } from "./shape.ts";
export { identifyBySignature, principalHeaders, REFUSED_HEADER } from "./signed-principal.ts";
export { type Listener, startListening } from "./start-listening.ts";
export { contentHash, type StaticFile, staticFile } from "./static-file.ts";
export { USAGE_PATH, type UsageReport, usageReport, usageRoute } from "./usage-route.ts";
export { isUuid } from "./uuid.ts";
export { type Validate, validate, validateNew } from "./validate.ts";
export { discard } from "./write-stream.ts";

// The entry `@tradepost/client/operations`: the types of the platform's operations, for programs that send requests in their own way, such
// as pages in a browser, and functions that need no connection. It imports nothing else at run time.
export type { ErrorCode, ErrorDetail } from "./error-types.ts";
export { OPERATIONS } from "./generated/operations.ts";
export type { Operation } from "./operation.ts";
export type { BodyOf, DataOf, ItemOf, OperationId, PathOf, QueryOf } from "./operation-types.ts";
export { type AuditVerification, verifyAuditLog } from "./verify-audit-log.ts";

export type { CallOptions, WithIfMatch, WithIfNoneMatch, WithKey } from "./call-options.ts";
export type { ClientOptions, Retry } from "./client-options.ts";
export { createClient, type RequestInput, type Tradepost } from "./create-client.ts";
export type { ClientErrorCode, ErrorCode, ErrorDetail, ErrorFields } from "./error-types.ts";
export type * from "./generated/resources.ts";
export type { Response } from "./http/request.ts";
export type { LedgerComparison, LedgerInput } from "./ledger/compare-ledger.ts";
export { ledgerDigest, type ReceivedRow } from "./ledger/received-rows.ts";
export type { BodyOf, DataOf, ItemOf, OperationId, PathOf, QueryOf } from "./operation-types.ts";
export type { Feed, FeedPage } from "./pages/feed.ts";
export type { List, Page } from "./pages/list.ts";
export { TradepostError } from "./tradepost-error.ts";
export {
  type AuditFault,
  type AuditHead,
  type AuditVerification,
  verifyAuditLog,
} from "./verify-audit-log.ts";

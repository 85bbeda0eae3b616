// The public interface of @tradepost/idempotency.
export { startDeletingExpiredRecords } from "./delete-expired-records.ts";
export {
  insertRecord,
  insertUnchangedRecord,
  RECORD_IS_VALID,
  type RecordsOfTenant,
  renewRecords,
  replaceRecord,
} from "./record-store.ts";
export { withSignedFingerprint } from "./signed-fingerprints.ts";
export { withIdempotencyKey, withKeyOfRepeatable } from "./with-idempotency-key.ts";

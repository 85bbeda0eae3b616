export {
  insertRecord,
  insertUnchangedRecord,
  keyColumns,
  RECORD_IS_VALID,
  renewRecords,
  replaceRecord,
  startDeletingExpiredRecords,
} from "./record-store.ts";
export {
  recording,
  withIdempotencyKey,
  withKeyOfRepeatable,
  withSignedFingerprint,
} from "./with-idempotency-key.ts";

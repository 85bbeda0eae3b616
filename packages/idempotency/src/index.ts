export {
  insertRecord,
  insertUnchangedRecord,
  keyColumns,
  RECORD_IS_VALID,
  renewRecords,
  replaceRecord,
  startDeletingExpiredRecords,
} from "./record-store.ts";
export * from "./with-idempotency-key.ts";

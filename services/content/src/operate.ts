// What the operators' commands use. HTTP does not reach it.

export {
  countLeftovers,
  leaveFiles,
  leaveFolder,
  mediaFileKeys,
  openMediaFiles,
  type ReadMediaFile,
} from "./operator/media-files.ts";
export { tenantTables } from "./operator/tenant-tables.ts";
export type { Tables } from "./tables.ts";

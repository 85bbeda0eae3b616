// What the handlers of the content service work with; wired in service.ts.
import type { TenantDatabases } from "@tradepost/postgres";
import type { Storage } from "../storage/storage.ts";
import type { Tables } from "../tables.ts";

export interface Content {
  readonly tenants: TenantDatabases<Tables>;
  /** Called after each commit that wrote an outbox row. */
  readonly onCommit: () => void;
  readonly storage: Storage;
  /** Called after each commit that left files to remove. */
  readonly onLeftovers: () => void;
}

/** A revision's number as a path or a query writes it, or null for what is none. */
export function revisionNumber(written: string): number | null {
  return /^[1-9]\d{0,8}$/.test(written) ? Number(written) : null;
}

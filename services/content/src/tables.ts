// The tables of the content service as Kysely sees them; the migrations are the truth.
import type { OutboxTable } from "@tradepost/messaging";
import type { ColumnType } from "kysely";

export interface Tables {
  redirects: {
    tenant_id: string;
    id: string;
    from_path: string;
    to_target: string;
    to_path: string | null;
    type: number;
    created_at: ColumnType<Date, never, never>;
  };
  outbox: OutboxTable;
}

// The dependencies of the content service's handlers, set up in `service.ts`.
import type { ChangeFeed } from "@tradepost/change-feed";
import type { TenantDatabases } from "@tradepost/postgres";
import type { Storage } from "../storage/storage.ts";
import type { Tables } from "../tables.ts";

export interface Content {
  readonly tenants: TenantDatabases<Tables>;
  readonly feed: ChangeFeed;
  /** Called after each commit that wrote an outbox row. */
  readonly onCommit: () => void;
  readonly storage: Storage;
  /** Sign links to media: the first signs, all are accepted. */
  readonly linkSecrets: readonly string[];
  /** Called after each commit that leaves files to delete. */
  readonly onLeftovers: () => void;
}

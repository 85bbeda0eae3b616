// Queues messages to a tenant's destination, in the transaction that opens or closes their notices. A channel sends them.
import { type RowColumns, rowsAs, toStatement } from "@tradepost/postgres";
import { newId } from "@tradepost/runtime";
import { type Kysely, type RawBuilder, sql } from "kysely";
import type { PoolClient } from "pg";
import type { Tables } from "../tables.ts";
import { type Notice, shownNotice } from "./notice.ts";

/** Messages that are sent together. They may have been tried different numbers of times. */
export interface Claimed {
  readonly tenantId: string;
  readonly messages: readonly { readonly id: string; readonly attempt: number }[];
}

export interface Channel<Sent extends Claimed> {
  /** Claims at most `max` for `lockMs`, but nothing of the tenants in `except`. */
  claim(max: number, except: readonly string[]): Promise<readonly Sent[]>;
  send(claimed: Sent): Promise<boolean>;
}

/** Claims the messages of `due`. */
export const claimedFor = (lockMs: number) => sql`
    claimed as (
      update notice_messages
         set attempt_count = attempt_count + 1, next_attempt_at = now() + ${lockMs} * interval '1 ms'
        from due
       where notice_messages.tenant_id = due.tenant_id and notice_messages.id = due.id
      returning notice_messages.*
    )`;

export type OpenedNotice = Notice & { readonly tenantId: string };

export type Transaction = PoolClient | Kysely<Tables>;

export async function rowsOf<Row extends object>(
  tx: Transaction,
  statement: RawBuilder<unknown>,
): Promise<Row[]> {
  if ("release" in tx) return (await tx.query<Row>(toStatement(statement))).rows;
  return (await statement.execute(tx)).rows as Row[];
}

const messageColumns: RowColumns<OpenedNotice> = {
  tenant_id: ["uuid", ({ tenantId }) => tenantId],
  webhook_id: ["uuid", () => newId()],
  mail_id: ["uuid", () => newId()],
  notice_id: ["uuid", ({ id }) => id],
  kind: ["text", ({ kind }) => kind],
  notice: ["json", (notice) => JSON.stringify(shownNotice(notice))],
};

/** Only opened notices are mailed. */
export async function queueMessages(
  tx: Transaction,
  change: "opened" | "closed",
  notices: readonly OpenedNotice[],
): Promise<void> {
  if (notices.length === 0) return;
  await rowsOf(
    tx,
    sql`
      with wanted as (
        select changed.*, url, emails
          from ${rowsAs("changed", messageColumns, notices)}
          join notice_destinations destination on destination.tenant_id = changed.tenant_id
         where kinds is null or changed.kind = any(kinds)
      )
      insert into notice_messages (tenant_id, id, notice_id, change, channel, notice)
      select tenant_id, webhook_id, notice_id, ${change}, 'webhook', notice from wanted where url is not null
       union all
      select tenant_id, mail_id, notice_id, ${change}, 'mail', notice from wanted
       where cardinality(emails) > 0 and ${change} = 'opened'`,
  );
}

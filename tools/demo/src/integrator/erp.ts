// An ERP that imports orders in bulk and keeps a copy of all orders up to date with the change feed. The copy and the feed's
// cursor are in one database and change in one transaction, so after a crash it continues exactly where it was.
import { DatabaseSync } from "node:sqlite";
import { type ItemOf, type Tradepost, TradepostError } from "@tradepost/client";

export interface Erp {
  /** Imports orders with these external ids. Resolves with how many of them are new. */
  importOrders(name: string, externalIds: readonly string[], customerId: string): Promise<number>;
  /** Follows the feed until `signal` aborts. */
  follow(signal: AbortSignal): Promise<void>;
  /** The orders of the copy. */
  orders(): Order[];
  close(): void;
}

/** An order as its events show it: unlike in a list, without the internal note. */
type Order = Omit<ItemOf<"listOrders">, "internalNote">;

const WAIT_SECONDS = 5;

export function openErp(client: Tradepost, file: string): Erp {
  const copy = openCopy(file);

  /**
   * Reads all orders. The cursor is taken before, so that the feed has all changes from then on. It is saved afterwards, so that a
   * crash in between starts the backfill again.
   */
  async function backfill(): Promise<void> {
    const end = await client.orders.events({ after: "now" }).page();
    for await (const { data } of client.orders.list({ limit: 100 }).pages()) copy.save(data);
    copy.save([], end.nextCursor);
  }

  async function followFrom(after: string, signal: AbortSignal): Promise<void> {
    const feed = client.orders.events({ after, waitSeconds: WAIT_SECONDS }, { signal });
    for await (const { data, nextCursor } of feed.pages())
      copy.save(
        data.map((event) => event.data.order),
        nextCursor,
      );
  }

  return {
    importOrders: async (name, externalIds, customerId) => {
      const orders = externalIds.map((externalId) => ({
        customerId,
        channel: "import" as const,
        externalId,
        items: [{ sku: "PALLET", name: "Pallet", unitPrice: 250 }],
      }));
      const results = await client.orders.import({ orders }, { idempotencyKey: name });
      // It is not a failure if an earlier import has placed the order.
      const failed = results.find((result) => !result.success && result.error.code !== "order_exists");
      if (failed?.success === false) throw new Error(`an order was not imported: ${failed.error.message}`);
      return results.filter(({ success }) => success).length;
    },
    follow: async (signal) => {
      while (!signal.aborted) {
        const after = copy.cursor();
        if (after === undefined) await backfill();
        else await followFrom(after, signal).catch(forgetExpiredCursor);
      }
    },
    orders: copy.orders,
    close: copy.close,
  };

  /** If the feed was not read for longer than events are kept, the copy has to be read again. */
  function forgetExpiredCursor(error: unknown): void {
    if (!(error instanceof TradepostError) || error.code !== "cursor_expired") throw error;
    copy.forgetCursor();
  }
}

/** Opens the database of the copy. */
function openCopy(file: string) {
  const db = new DatabaseSync(file);
  db.exec(
    "create table if not exists orders (id text primary key, version integer not null, body text not null)",
  );
  db.exec("create table if not exists feed (name text primary key, cursor text not null)");
  // Ignores older versions: an event may be read twice, and the backfill may read an order newer than the next event.
  const saveOrder = db.prepare(
    `insert into orders (id, version, body) values (?, ?, ?)
     on conflict (id) do update set version = excluded.version, body = excluded.body
     where excluded.version > orders.version`,
  );
  const saveCursor = db.prepare("insert or replace into feed (name, cursor) values ('orders', ?)");
  return {
    /** Saves the orders, and the cursor if there is one, all or nothing. */
    save: (orders: readonly Pick<Order, "id" | "version">[], nextCursor?: string): void => {
      db.exec("begin immediate");
      for (const order of orders) saveOrder.run(order.id, order.version, JSON.stringify(order));
      if (nextCursor !== undefined) saveCursor.run(nextCursor);
      db.exec("commit");
    },
    orders: (): Order[] =>
      db
        .prepare("select body from orders")
        .all()
        .map(({ body }) => JSON.parse(String(body))),
    /** Where to continue in the feed; undefined if the orders have to be read first. */
    cursor: () => db.prepare("select cursor from feed").get()?.cursor as string | undefined,
    forgetCursor: () => db.exec("delete from feed"),
    close: () => db.close(),
  };
}

// An ERP that imports orders in bulk and keeps a copy of all orders up to date with the change feed. The copy and the feed's
// cursor are in one database and change in one transaction, so after a crash it continues exactly where it was.
import { DatabaseSync } from "node:sqlite";
import { type Client, type Page, Refused } from "./client.ts";
import type { Order } from "./order.ts";

export interface Erp {
  /** Imports orders with these external ids. Resolves with how many of them are new. */
  importOrders(name: string, externalIds: readonly string[], customerId: string): Promise<number>;
  /** Follows the feed until `signal` aborts. */
  follow(signal: AbortSignal): Promise<void>;
  /** The copy. */
  orders(): Order[];
  close(): void;
}

interface OrderEvent {
  readonly id: string;
  readonly type: string;
  readonly data: { readonly order: Order };
}

type ImportResult =
  | { readonly success: true; readonly data: Order }
  | { readonly success: false; readonly error: { readonly code: string; readonly message: string } };

const PAGE = 100;
const WAIT_SECONDS = 5;

export function openErp(client: Client, file: string): Erp {
  const db = new DatabaseSync(file);
  db.exec(
    "create table if not exists orders (id text primary key, version integer not null, body text not null)",
  );
  db.exec("create table if not exists feed (name text primary key, cursor text not null)");
  // An event may be read twice, and the backfill may read an order that is newer than the next event.
  const saveOrder = db.prepare(
    `insert into orders (id, version, body) values (?, ?, ?)
     on conflict (id) do update set version = excluded.version, body = excluded.body
     where excluded.version > orders.version`,
  );
  const saveCursor = db.prepare("insert or replace into feed (name, cursor) values ('orders', ?)");
  const cursor = () => db.prepare("select cursor from feed").get()?.cursor as string | undefined;

  /** Saves orders, and the cursor if there is one, completely or not at all. */
  function save(orders: readonly Order[], nextCursor?: string): void {
    db.exec("begin immediate");
    for (const order of orders) saveOrder.run(order.id, order.version, JSON.stringify(order));
    if (nextCursor !== undefined) saveCursor.run(nextCursor);
    db.exec("commit");
  }

  /**
   * Reads all orders. The cursor is taken before, so that the feed has everything that changes meanwhile; it is saved after,
   * so that a crash in between starts the backfill again.
   */
  async function backfill(): Promise<void> {
    const { page: end } = await client.get<OrderEvent>("v1/orders/events", { after: "now" });
    let next: string | null = "";
    while (next !== null) {
      const { data, page }: Page<Order> = await client.get<Order>("v1/orders", {
        limit: PAGE,
        ...(next !== "" && { cursor: next }),
      });
      save(data);
      next = page.nextCursor;
    }
    save([], end.nextCursor ?? "");
  }

  async function followOnce(after: string): Promise<void> {
    // Responds as soon as there is an event, or with an empty page after the wait.
    const query = { after, limit: PAGE, waitSeconds: WAIT_SECONDS };
    const { data, page } = await client.get<OrderEvent>("v1/orders/events", query);
    save(
      data.map((event) => event.data.order),
      page.nextCursor ?? after,
    );
  }

  return {
    importOrders: async (name, externalIds, customerId) => {
      const orders = externalIds.map((externalId) => ({
        customerId,
        channel: "import",
        externalId,
        items: [{ sku: "PALLET", name: "Pallet", unitPrice: 250 }],
      }));
      const results = await client.post<ImportResult[]>("v1/orders/bulk", name, { orders });
      // An order that an earlier import has placed is not a failure.
      const failed = results.find((result) => !result.success && result.error.code !== "order_exists");
      if (failed?.success === false) throw new Error(`an order was not imported: ${failed.error.message}`);
      return results.filter(({ success }) => success).length;
    },
    follow: async (signal) => {
      while (!signal.aborted) {
        const after = cursor();
        if (after === undefined) await backfill();
        else await followOnce(after).catch(forgetExpiredCursor);
      }
    },
    orders: () =>
      db
        .prepare("select body from orders")
        .all()
        .map(({ body }) => JSON.parse(String(body))),
    close: () => db.close(),
  };

  /** After a pause that is longer than events are kept, the copy has to be read again. */
  function forgetExpiredCursor(error: unknown): void {
    if (!(error instanceof Refused) || error.error.code !== "cursor_expired") throw error;
    db.exec("delete from feed");
  }
}

// A storefront that places an order for each checkout, records the payment, and adds a note to some orders. A checkout is stored
// before it is sent, and marked as done after the response. After any crash it can safely be sent again: the Idempotency-Key finds
// the first response for a day, and the externalId finds the order for ever.
import { DatabaseSync } from "node:sqlite";
import { type BodyOf, type Tradepost, TradepostError } from "@tradepost/client";

export interface Storefront {
  /** Sends the checkouts that an earlier run has stored but not completed. */
  resume(): Promise<void>;
  /** Stores a checkout and sends it. Resolves when the order exists and is paid. */
  checkOut(number: number): Promise<void>;
  /** The order of each checkout: external id and order id. */
  orders(): { externalId: string; orderId: string | null }[];
  close(): void;
}

export function openStorefront(
  client: Tradepost,
  options: { file: string; name: string; customerId: string },
): Storefront {
  const db = new DatabaseSync(options.file);
  db.exec(
    "create table if not exists checkouts (external_id text primary key, body text not null, order_id text)",
  );
  const store = db.prepare("insert into checkouts (external_id, body) values (?, ?)");
  const pending = db.prepare("select external_id, body from checkouts where order_id is null");
  const complete = db.prepare("update checkouts set order_id = ? where external_id = ?");

  async function send(externalId: string, body: BodyOf<"placeOrder">): Promise<void> {
    const orderId = await placeOrder(client, externalId, body);
    // The reference is the payment provider's own id, so a payment that is reported twice is recorded once.
    const reference = `pay-${externalId}`;
    const paid = await client.orders.recordPayment(
      orderId,
      { status: "succeeded", reference },
      { idempotencyKey: reference },
    );
    if (body.items.some(({ quantity }) => quantity === 3)) await addNoteOnce(client, paid);
    complete.run(orderId, externalId);
  }

  return {
    resume: async () => {
      for (const { external_id, body } of pending.all())
        await send(String(external_id), JSON.parse(String(body)));
    },
    checkOut: async (number) => {
      const externalId = `${options.name}-web-${number}`;
      const body: BodyOf<"placeOrder"> = {
        customerId: options.customerId,
        channel: "storefront",
        externalId,
        items: [{ sku: "MUG-1", name: "Mug", quantity: 1 + (number % 3), unitPrice: 19.99 }],
        shippingTotal: 4.5,
      };
      store.run(externalId, JSON.stringify(body));
      await send(externalId, body);
    },
    orders: () =>
      db.prepare("select external_id as externalId, order_id as orderId from checkouts").all() as {
        externalId: string;
        orderId: string | null;
      }[],
    close: () => db.close(),
  };
}

/** If the response is lost, the next try gets a conflict with the version that the first one has made, which is not an error. */
async function addNoteOnce(
  client: Tradepost,
  { id, version }: { id: string; version: number },
): Promise<void> {
  const note = { customerNote: "Please wrap each mug." };
  await client.orders.update(id, note, { ifMatch: version }).catch((error: unknown) => {
    if (!(error instanceof TradepostError) || error.code !== "version_mismatch" || error.tries === 1)
      throw error;
  });
}

async function placeOrder(
  client: Tradepost,
  externalId: string,
  body: BodyOf<"placeOrder">,
): Promise<string> {
  try {
    const order = await client.orders.place(body, { idempotencyKey: externalId });
    return order.id;
  } catch (error) {
    // An earlier try, more than a day ago, has placed the order.
    if (error instanceof TradepostError && error.code === "order_exists") return String(error.fields.orderId);
    throw error;
  }
}

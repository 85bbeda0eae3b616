// Finds the customers that a CSV file names by their e-mail addresses or external ids, and creates those that do not exist.
import type { ItemOf } from "@tradepost/client/operations";
import type { Failure } from "../../api/failure.ts";
import { runBulk } from "../../data/bulk-run.ts";
import { request } from "../../session/request.ts";
import type { CsvItem, CustomerKey } from "./import-columns.ts";
import type { ImportItem } from "./import-file.ts";
import type { RefusedOrder } from "./use-import.ts";

interface FoundCustomers {
  readonly items: readonly ImportItem[];
  /** The orders whose customer does not exist, or may be one of several. */
  readonly refused: readonly RefusedOrder[];
  /** The customers that do not exist. */
  readonly missing: readonly CustomerKey[];
}

type Customer = ItemOf<"listCustomers">;

interface Options {
  readonly signal: AbortSignal;
  readonly onProgress: (done: number, total: number) => void;
}

/** Rejects with a `Failure`. */
export async function findCustomers(
  items: readonly CsvItem[],
  { signal, onProgress }: Options,
): Promise<FoundCustomers> {
  const keys = new Map(
    items.flatMap(({ customer }) => (customer ? [[nameOf(customer), customer] as const] : [])),
  );
  const found = new Map<string, readonly Customer[]>();
  await forEach([...keys], { signal, onProgress }, async ([name, { by, value }]) => {
    // Two customers are enough to know that the address is not unique.
    const query = by === "email" ? { email: value, limit: 2 } : { externalId: value };
    found.set(name, (await request("listCustomers", { query }, { signal })).data);
  });
  const missing = [...keys.values()].filter((key) => found.get(nameOf(key))?.length === 0);
  return { ...sorted(items, found), missing };
}

/** Rejects with a `Failure`. */
export async function createCustomers(customers: readonly CustomerKey[], options: Options): Promise<void> {
  await forEach(customers, options, async ({ known }) => {
    await request("createCustomer", { body: known }, { signal: options.signal });
  });
}

/** Sends a few at a time, and none after a failure. */
async function forEach<Item>(
  items: readonly Item[],
  { signal, onProgress }: Options,
  send: (item: Item) => Promise<void>,
): Promise<void> {
  const failures: Failure[] = [];
  let done = 0;
  onProgress(0, items.length);
  await runBulk(items, {
    send,
    isStopped: () => signal.aborted || failures.length > 0,
    onResult: (_, failure) => {
      if (failure === null) done += 1;
      else failures.push(failure);
      onProgress(done, items.length);
    },
  });
  if (failures[0] !== undefined) throw failures[0];
}

function sorted(
  items: readonly CsvItem[],
  found: ReadonlyMap<string, readonly Customer[]>,
): Omit<FoundCustomers, "missing"> {
  const ready: ImportItem[] = [];
  const refused: RefusedOrder[] = [];
  for (const item of items) {
    const { customer } = item;
    const [one, another] = customer === undefined ? [] : (found.get(nameOf(customer)) ?? []);
    if (customer === undefined) ready.push(item);
    else if (one !== undefined && another === undefined)
      ready.push({ ...item, order: { ...(item.order as object), customerId: one.id } });
    else {
      const message = `${one === undefined ? "no customer has" : "several customers have"} the ${nameOf(customer)}`;
      refused.push({ item, error: { message } });
    }
  }
  return { items: ready, refused };
}

/** `e-mail address ada@shop.example`. */
function nameOf({ by, value }: Pick<CustomerKey, "by" | "value">): string {
  return by === "email" ? `e-mail address ${value}` : `external id ${value}`;
}

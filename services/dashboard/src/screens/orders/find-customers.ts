// Finds the customers that a CSV file names by their e-mail addresses or external ids.
import type { ItemOf } from "@tradepost/client/operations";
import type { Failure } from "../../api/failure.ts";
import { request } from "../../session/request.ts";
import { runBulk } from "./bulk-run.ts";
import type { CsvItem, CustomerKey } from "./import-columns.ts";
import type { ImportItem } from "./import-file.ts";
import type { RefusedOrder } from "./use-import.ts";

interface FoundCustomers {
  readonly items: readonly ImportItem[];
  /** The orders whose customer does not exist, or may be one of several. */
  readonly refused: readonly RefusedOrder[];
}

type Customer = ItemOf<"listCustomers">;

interface FindOptions {
  readonly signal: AbortSignal;
  readonly onProgress: (done: number, total: number) => void;
}

/** Rejects with a `Failure`. */
export async function findCustomers(
  items: readonly CsvItem[],
  { signal, onProgress }: FindOptions,
): Promise<FoundCustomers> {
  const keys = new Map(
    items.flatMap(({ customer }) => (customer ? [[nameOf(customer), customer] as const] : [])),
  );
  const found = new Map<string, readonly Customer[]>();
  const failures: Failure[] = [];
  onProgress(0, keys.size);
  await runBulk([...keys], {
    send: async ([name, { by, value }]) => {
      // Of several, two are enough to know that it is not one.
      const query = by === "email" ? { email: value, limit: 2 } : { externalId: value };
      found.set(name, (await request("listCustomers", { query }, { signal })).data);
    },
    isStopped: () => signal.aborted || failures.length > 0,
    onResult: (_, failure) => {
      if (failure !== null) failures.push(failure);
      onProgress(found.size, keys.size);
    },
  });
  if (failures[0] !== undefined) throw failures[0];
  return sorted(items, found);
}

function sorted(items: readonly CsvItem[], found: ReadonlyMap<string, readonly Customer[]>): FoundCustomers {
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
function nameOf({ by, value }: CustomerKey): string {
  return by === "email" ? `e-mail address ${value}` : `external id ${value}`;
}

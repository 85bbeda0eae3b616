// Finds the customers that a CSV file names by their e-mail addresses or external ids, and creates those that do not exist.
import type { ItemOf } from "@tradepost/client/operations";
import type { Failure } from "../../api/failure.ts";
import { runBulk } from "../../data/bulk-run.ts";
import { request } from "../../session/request.ts";
import { type CustomerKey, customersOf, type ImportItem, type NamedCustomer, nameOf } from "./import-rows.ts";
import type { RefusedOrder } from "./use-import.ts";

export interface FoundCustomers {
  readonly items: readonly ImportItem[];
  /** The orders with a refusal, or with a customer who does not exist, may be one of several, or cannot be searched. */
  readonly refused: readonly RefusedOrder[];
  readonly missing: readonly NamedCustomer[];
}

type Customer = ItemOf<"listCustomers">;

interface Options {
  readonly signal: AbortSignal;
  readonly onProgress: (done: number, total: number) => void;
}

type Failures = ReadonlyMap<string, Failure>;
type Reasons = ReadonlyMap<string, Pick<Failure, "message"> & Partial<Pick<Failure, "details">>>;

const CONFLICT = 409;
const INVALID = 422;

/** `notCreated` says why customers that do not exist were not created. Rejects with a `Failure`. */
export async function findCustomers(
  items: readonly ImportItem[],
  { signal, onProgress }: Options,
  notCreated: Failures = new Map(),
): Promise<FoundCustomers> {
  const keys = customersOf(items);
  const found = new Map<string, readonly Customer[]>();
  const options = { signal, onProgress, isEnd: ({ status }: Failure) => status !== INVALID };
  const failed = await forEach(keys, options, async (key) => {
    // Two customers are enough to know that the address is not unique.
    const query = key.by === "email" ? { email: key.value, limit: 2 } : { externalId: key.value };
    found.set(nameOf(key), (await request("listCustomers", { query }, { signal })).data);
  });
  const end = [...failed.values()].find(options.isEnd);
  if (end !== undefined) throw end;
  const missing = keys.filter((key) => found.get(nameOf(key))?.length === 0);
  const contradicted = missing.flatMap(({ contradiction: message, ...key }) =>
    message === undefined ? [] : [[nameOf(key), { message }] as const],
  );
  return {
    ...sorted(items, found, new Map([...contradicted, ...notCreated, ...failed])),
    missing: missing.filter(({ contradiction }) => contradiction === undefined),
  };
}

/** Returns the failures. Stops after a failure that every customer would have; customers that were not tried have no failure. */
export async function createCustomers(
  customers: readonly NamedCustomer[],
  options: Options,
): Promise<Failures> {
  const isEnd = ({ status }: Failure) => status !== INVALID && status !== CONFLICT;
  return await forEach(customers, { ...options, isEnd }, async ({ known }) => {
    await request("createCustomer", { body: known }, { signal: options.signal });
  });
}

/** Sends a few at a time, and stops after a failure for which `isEnd` is true. Returns the failures. */
async function forEach(
  keys: readonly NamedCustomer[],
  { signal, onProgress, isEnd }: Options & { readonly isEnd: (failure: Failure) => boolean },
  send: (key: NamedCustomer) => Promise<void>,
): Promise<Failures> {
  const failures = new Map<string, Failure>();
  let done = 0;
  let hasEnded = false;
  onProgress(0, keys.length);
  await runBulk(keys, {
    send,
    isStopped: () => signal.aborted || hasEnded,
    onResult: (key, failure) => {
      done += 1;
      if (failure !== null) failures.set(nameOf(key), failure);
      if (failure !== null && isEnd(failure)) hasEnded = true;
      onProgress(done, keys.length);
    },
  });
  return failures;
}

function sorted(
  items: readonly ImportItem[],
  found: ReadonlyMap<string, readonly Customer[]>,
  failed: Reasons,
): Omit<FoundCustomers, "missing"> {
  const ready: ImportItem[] = [];
  const refused: RefusedOrder[] = [];
  for (const item of items) {
    const { customer, refusal } = item;
    const [one, another] = customer === undefined ? [] : (found.get(nameOf(customer)) ?? []);
    if (refusal !== undefined) refused.push({ item, error: refusal });
    else if (customer === undefined) ready.push(item);
    else if (one !== undefined && another === undefined)
      ready.push({ ...item, order: { ...item.order, customerId: one.id } });
    else refused.push({ item, error: { message: refusalOf(customer, one !== undefined, failed) } });
  }
  return { items: ready, refused };
}

function refusalOf(key: CustomerKey, exists: boolean, failed: Reasons): string {
  if (exists) return `several customers have the ${nameOf(key)}`;
  const none = `no customer has the ${nameOf(key)}`;
  const failure = failed.get(nameOf(key));
  if (failure === undefined) return none;
  const { message, details = [] } = failure;
  const faults = details.map((detail) => `${detail.path} ${detail.message}`);
  return `${none}: ${faults.join("; ") || message}`;
}

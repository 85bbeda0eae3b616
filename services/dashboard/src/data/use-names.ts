// Reads the names of people, keys and customers, for lists that have only their ids.
import { keepPreviousData, useQueries } from "@tanstack/react-query";
import type { DataOf } from "@tradepost/client/operations";
import type { Reply } from "../api/send.ts";
import { request } from "../session/request.ts";
import { partsOf } from "./bulk-run.ts";
import { useList } from "./operations.ts";

const QUERY = { limit: 100 };

interface Named {
  readonly id: string;
  readonly name: string;
}

export interface Actors {
  readonly people: readonly Named[];
  readonly keys: readonly Named[];
}

/** For admins only. Returns the newest hundred people and hundred keys. Lists are empty until they are read. */
export function useActors(): Actors {
  const people = useList("listUsers", QUERY).items ?? [];
  const keys = useList("listApiKeys", QUERY).items ?? [];
  return {
    people: people.map(({ id, name }) => ({ id, name })),
    keys: keys.map(({ id, label }) => ({ id, name: label })),
  };
}

export function actorOptions({ people, keys }: Actors) {
  return [
    ...people.map(({ id, name }) => ({ value: id, text: name })),
    ...keys.map(({ id, name }) => ({ value: id, text: `Key: ${name}` })),
  ];
}

type Customer = DataOf<"getCustomer">;

export type Customers = ReadonlyMap<string, Customer>;

const IDS_MAX = 100;

export function useCustomerNames(ids: readonly string[]): Customers {
  const parts = partsOf([...new Set(ids)], IDS_MAX);
  return useQueries({
    queries: parts.map((part) => ({
      queryKey: ["listCustomers", "names", [...part].sort()],
      queryFn: ({ signal }: { signal: AbortSignal }): Promise<Reply<Customer[]>> =>
        request("listCustomers", { query: { ids: part, limit: IDS_MAX } }, { signal }),
      placeholderData: keepPreviousData,
    })),
    combine: (results) =>
      new Map(results.flatMap(({ data }) => (data?.data ?? []).map((one) => [one.id, one] as const))),
  });
}

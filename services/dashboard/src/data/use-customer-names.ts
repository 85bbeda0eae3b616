// Reads the customers of a list of orders, which has only their ids.
import { keepPreviousData, useQueries } from "@tanstack/react-query";
import type { DataOf } from "@tradepost/client/operations";
import type { Reply } from "../api/send.ts";
import { request } from "../session/request.ts";
import { partsOf } from "./bulk-run.ts";

type Customer = DataOf<"getCustomer">;

const IDS_MAX = 100;

export function useCustomerNames(ids: readonly string[]): ReadonlyMap<string, Customer> {
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

// The ticked rows of a list. With Shift, all rows between the last ticked one and this one are ticked.
import type { ItemOf, OperationId } from "@tradepost/client/operations";
import { useRef, useState } from "react";
import { rangeOf } from "./bulk-run.ts";
import type { useList } from "./use-list.ts";

const NONE: ReadonlySet<string> = new Set();

// An action sends a request for each row.
export const SELECTED_MAX = 1_000;

export function useSelection<Id extends OperationId>(list: ReturnType<typeof useList<Id>>) {
  const [ids, setIds] = useState(NONE);
  const last = useRef<string>(undefined);
  const select = (rows: readonly { readonly id: string }[]) => setIds(new Set(rows.map(({ id }) => id)));
  const tick = (
    id: string,
    isTicked: boolean,
    isRange: boolean,
    rows: readonly { readonly id: string }[],
  ) => {
    const range = isRange
      ? rangeOf(
          rows.map((row) => row.id),
          last.current,
          id,
        )
      : [id];
    last.current = id;
    setIds((now) => new Set(isTicked ? [...now, ...range] : [...now].filter((one) => !range.includes(one))));
  };
  /** Reads the pages that are not shown yet, and ticks all rows. */
  const selectRest = async () => {
    let read = await list.fetchNextPage();
    // Every list in which rows can be ticked has rows with ids.
    const rows = () => (read.data?.flatMap((page) => page.data) ?? []) as (ItemOf<Id> & { id: string })[];
    while (read.hasNextPage && !read.isError && rows().length < SELECTED_MAX)
      read = await read.fetchNextPage();
    select(rows());
  };
  return { ids, tick, select, selectRest };
}

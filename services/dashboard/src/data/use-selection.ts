// The ticked rows of a list. With Shift, all rows between the last ticked row and this row are ticked.
import type { ItemOf, OperationId } from "@tradepost/client/operations";
import { useRef, useState } from "react";
import type { Counted } from "../api/send.ts";
import { rangeOf } from "./bulk-run.ts";
import type { useList } from "./operations.ts";

interface Row {
  readonly id: string;
}

export interface Selection<Item extends Row = Row> {
  readonly shown: readonly Item[];
  readonly ticked: readonly Item[];
  readonly isTicked: (id: string) => boolean;
  readonly tick: (id: string, isTicked: boolean, isRange: boolean) => void;
  readonly tickShown: (isTicked: boolean) => void;
  /** Reads the rows that are not shown yet, and ticks all; undefined if there are none. */
  readonly rest: Rest | undefined;
}

interface Rest {
  readonly counted: Counted | undefined;
  readonly isBusy: boolean;
  readonly start: () => void;
}

const NONE: ReadonlySet<string> = new Set();

// An action sends a request for each row.
export const SELECTED_MAX = 1_000;

type List<Id extends OperationId> = ReturnType<typeof useList<Id>> & {
  readonly counted?: Counted | undefined;
};

export function useSelection<Id extends OperationId>(list: List<Id>): Selection<ItemOf<Id> & Row> {
  // Every list in which rows can be ticked has rows with ids.
  type Item = ItemOf<Id> & Row;
  const [ids, setIds] = useState(NONE);
  const last = useRef<string>(undefined);
  const shown = (list.items ?? []) as Item[];
  const select = (rows: readonly Row[]) => setIds(new Set(rows.map(({ id }) => id)));
  const tick = (id: string, isTicked: boolean, isRange: boolean) => {
    const rowIds = shown.map((row) => row.id);
    const range = isRange ? rangeOf(rowIds, last.current, id) : [id];
    last.current = id;
    setIds((now) => new Set(isTicked ? [...now, ...range] : [...now].filter((one) => !range.includes(one))));
  };
  const start = async () => {
    let read = await list.fetchNextPage();
    const rows = () => (read.data?.flatMap((page) => page.data) ?? []) as Item[];
    while (read.hasNextPage && !read.isError && rows().length < SELECTED_MAX)
      read = await read.fetchNextPage();
    select(rows());
  };
  return {
    shown,
    ticked: shown.filter(({ id }) => ids.has(id)),
    isTicked: (id) => ids.has(id),
    tick,
    tickShown: (isTicked) => select(isTicked ? shown : []),
    rest: list.hasNextPage ? { counted: list.counted, isBusy: list.isFetchingNextPage, start } : undefined,
  };
}

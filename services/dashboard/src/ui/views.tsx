// Shows data, or why there is none: every screen shows loading, failures and empty lists in the same way.
import type { ReactNode } from "react";
import type { Failure } from "../api/failure.ts";
import type { News } from "../data/use-live-list.ts";
import { Button } from "./button.tsx";
import { EmptyState } from "./empty-state.tsx";
import { ErrorNote } from "./error-note.tsx";
import { MoreButton } from "./more-button.tsx";
import { NewItemsBar, type Nouns } from "./new-items-bar.tsx";
import { NewRows } from "./new-rows.ts";
import { ListSkeleton, PageSkeleton } from "./skeleton.tsx";
import { Time } from "./time.tsx";

interface Read<Data> {
  readonly data: Data | undefined;
  readonly error: Failure | null;
  readonly refetch: () => unknown;
}

interface ReadViewProps<Data> {
  readonly read: Read<Data>;
  readonly children: (data: Data) => ReactNode;
}

/** Shows the result of `useRead`. Data stays on the screen while a refresh fails. */
export function ReadView<Data>({ read, children }: ReadViewProps<Data>) {
  if (read.data !== undefined) return children(read.data);
  return <Missing read={read} loading={<PageSkeleton />} />;
}

interface ListViewProps<Item> {
  readonly list: Omit<Read<unknown>, "data"> & {
    readonly items: readonly Item[] | undefined;
    readonly hasNextPage: boolean;
    readonly isFetchingNextPage: boolean;
    readonly fetchNextPage: () => unknown;
    readonly news?: News;
    readonly olderReadAt?: number | undefined;
  };
  /** The items in words. Only for the result of `useLiveList`. */
  readonly nouns?: Nouns;
  /** An `EmptyState` element. */
  readonly empty: ReactNode;
  readonly children: (items: readonly Item[]) => ReactNode;
}

/** Shows the result of `useList` or `useLiveList`. */
export function ListView<Item>({ list, nouns = ITEMS, empty, children }: ListViewProps<Item>) {
  const { items, news, olderReadAt, hasNextPage, refetch } = list;
  if (items === undefined) return <Missing read={list} loading={<ListSkeleton />} />;
  if (items.length === 0) return empty;
  return (
    <>
      {news !== undefined && <NewItemsBar news={news} nouns={nouns} />}
      {news === undefined ? children(items) : <NewRows value={news.added}>{children(items)}</NewRows>}
      {(hasNextPage || olderReadAt !== undefined) && (
        <div className="list-foot">
          <MoreButton list={list} />
          {olderReadAt !== undefined && (
            <span className="soft">
              The first page is always up to date, the others were read{" "}
              <Time at={new Date(olderReadAt).toISOString()} />.{" "}
              <Button look="quiet" onClick={() => refetch()}>
                Refresh
              </Button>
            </span>
          )}
        </div>
      )}
    </>
  );
}

const NOT_FOUND = 404;
const ITEMS: Nouns = { one: "item", many: "items" };

interface MissingProps {
  readonly read: Omit<Read<unknown>, "data">;
  readonly loading: ReactNode;
}

function Missing({ read: { error, refetch }, loading }: MissingProps) {
  if (error === null) return loading;
  return error.status === NOT_FOUND ? (
    <NotThere failure={error} />
  ) : (
    <ErrorNote failure={error} onRetry={refetch} />
  );
}

/** Trying again would not help. */
function NotThere({ failure: { message } }: { readonly failure: Failure }) {
  return (
    <EmptyState title={message.replace(/\.$/, "")}>
      <p>It may have been deleted, or its address is mistyped.</p>
    </EmptyState>
  );
}

// Shows data, or why there is none: every screen shows loading, failures and empty lists in the same way.
import type { ReactNode } from "react";
import type { Failure } from "../api/failure.ts";
import { ErrorNote } from "./error-note.tsx";
import { Loading } from "./loading.tsx";
import { MoreButton } from "./more-button.tsx";

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
  return <Missing read={read} />;
}

interface ListViewProps<Item> {
  readonly list: Omit<Read<unknown>, "data"> & {
    readonly items: readonly Item[] | undefined;
    readonly hasNextPage: boolean;
    readonly isFetchingNextPage: boolean;
    readonly fetchNextPage: () => unknown;
  };
  /** An `EmptyState` element. */
  readonly empty: ReactNode;
  readonly children: (items: readonly Item[]) => ReactNode;
}

/** Shows the result of `useList`. */
export function ListView<Item>({ list, empty, children }: ListViewProps<Item>) {
  if (list.items === undefined) return <Missing read={list} />;
  if (list.items.length === 0) return empty;
  return (
    <>
      {children(list.items)}
      {list.hasNextPage && (
        <div className="list-foot">
          <MoreButton list={list} />
        </div>
      )}
    </>
  );
}

function Missing({ read: { error, refetch } }: { readonly read: Omit<Read<unknown>, "data"> }) {
  return error === null ? <Loading /> : <ErrorNote failure={error} onRetry={refetch} />;
}

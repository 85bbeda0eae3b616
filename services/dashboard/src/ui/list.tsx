// Shows data, or why there is none: every screen shows loading, failures and empty lists in the same way.
import { createContext, type ReactNode, use, useEffect, useRef } from "react";
import type { Failure } from "../api/failure.ts";
import type { Counted } from "../api/send.ts";
import type { News } from "../data/use-live-list.ts";
import { number } from "../format/shop.ts";
import { Button } from "./button.tsx";
import { ErrorNote } from "./note.tsx";
import { Time } from "./value.tsx";
import "./table.css";
import "./views.css";

export interface Column<Row> {
  readonly name: string;
  /** Shown in the head of the column instead of its name. */
  readonly head?: ReactNode;
  readonly cell: (row: Row) => ReactNode;
  /** True for the column that names the row, if it is not the first one without buttons. */
  readonly isHeading?: boolean;
  /** True for a column of amounts or counts, which is aligned at its end. */
  readonly isNumber?: boolean;
  /** True for a column of buttons, whose name is not visible. */
  readonly isActions?: boolean;
  /** Left out when there is little room; `later`, when there is less. Cards show it. */
  readonly isMinor?: boolean | "later";
  /** The line of a card that shows the cell. Line 1 has the heading and one more cell, line 2 three cells, line 3 one cell. */
  readonly cardLine?: 1 | 2 | 3;
}

interface TableProps<Row extends { readonly id: string }> {
  readonly caption: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
}

const MANY_COLUMNS = 6;

/**
 * A heading that begins with a link makes the whole row that link. Where there is little room, each row becomes a card, which shows
 * the name of each column, or only two lines if columns have a `cardLine`.
 */
export function Table<Row extends { readonly id: string }>({ caption, columns, rows }: TableProps<Row>) {
  const newRows = use(NewRows);
  const heading = headingOf(columns);
  const isTwoLines = columns.some(({ cardLine }) => cardLine !== undefined);
  return (
    <div className={columns.length < MANY_COLUMNS ? "table-frame" : "table-frame table-frame-many"}>
      <table className={isTwoLines ? "table table-two-lines" : "table"}>
        <caption className="hidden">{caption}</caption>
        <thead>
          <tr>
            {columns.map((column) => (
              <Head key={column.name} column={column} />
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.id} className={newRows.has(row.id) ? "row-new" : undefined}>
              {columns.map((column) => (
                <Cell key={column.name} column={column} row={row} isHeading={column === heading} />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Head<Row>({ column }: { readonly column: Column<Row> }) {
  const { name, head, isActions } = column;
  // Not a `th`, because screen readers read headings with each cell of the column.
  if (head !== undefined) return <td className="table-actions">{head}</td>;
  return (
    <th scope="col" className={classOf(column)}>
      <span className={isActions ? "hidden" : undefined}>{name}</span>
    </th>
  );
}

export function headingOf<Row>(columns: readonly Column<Row>[]): Column<Row> | undefined {
  const others = columns.filter(({ head, isActions }) => head === undefined && !isActions);
  return others.find(({ isHeading }) => isHeading) ?? others[0];
}

interface CellProps<Row> {
  readonly column: Column<Row>;
  readonly row: Row;
  readonly isHeading: boolean;
}

function Cell<Row>({ column, row, isHeading }: CellProps<Row>) {
  const { name, cell, isActions, cardLine } = column;
  if (isHeading) return <th scope="row">{cell(row)}</th>;
  if (isActions) return <td className="table-actions">{cell(row)}</td>;
  return (
    <td data-name={name} data-line={cardLine} className={classOf(column)}>
      {cell(row)}
    </td>
  );
}

function classOf({ isNumber, isMinor }: Pick<Column<unknown>, "isNumber" | "isMinor">): string | undefined {
  const names = [
    isNumber && "table-number",
    isMinor && (isMinor === true ? "table-minor" : "table-later"),
  ].filter(Boolean);
  return names.length > 0 ? names.join(" ") : undefined;
}

/** The ids of rows that have just appeared, which are pointed out for a moment. */
const NewRows = createContext<ReadonlySet<string>>(new Set());

export function Subject({ subject }: { readonly subject: string | null }) {
  if (subject === null) return null;
  return (
    <bdi className="clamped" title={subject}>
      {subject}
    </bdi>
  );
}

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
  return <Missing read={read} loading={<Skeleton look="parts" />} />;
}

interface Pages {
  readonly hasNextPage: boolean;
  readonly isFetchingNextPage: boolean;
  readonly fetchNextPage: () => unknown;
}

interface ListViewProps<Item> {
  readonly list: Omit<Read<unknown>, "data"> &
    Pages & {
      readonly items: readonly Item[] | undefined;
      readonly news?: News;
      readonly counted?: Counted | undefined;
      readonly olderReadAt?: number | undefined;
    };
  /** The items in words. Only for the result of `useLiveList`. */
  readonly nouns?: Nouns;
  readonly empty: ReactNode;
  readonly children: (items: readonly Item[]) => ReactNode;
}

/** Shows the result of `useList` or `useLiveList`. */
export function ListView<Item>({ list, nouns = ITEMS, empty, children }: ListViewProps<Item>) {
  const { items, news, counted, olderReadAt, hasNextPage, refetch } = list;
  if (items === undefined) return <Missing read={list} loading={<Skeleton look="rows" />} />;
  if (items.length === 0 && hasNextPage)
    return (
      <EmptyState title="Nothing found so far">
        <p>None of the newest matches. The search can go on.</p>
        <MoreButton list={list} />
      </EmptyState>
    );
  if (items.length === 0) return empty;
  return (
    <>
      {news !== undefined && <NewItemsBar news={news} nouns={nouns} />}
      {news === undefined ? children(items) : <NewRows value={news.added}>{children(items)}</NewRows>}
      {(hasNextPage || counted !== undefined || olderReadAt !== undefined) && (
        <div className="list-foot">
          {counted !== undefined && <span className="soft">{countText(counted, nouns)}</span>}
          <MoreButton list={list} />
          {olderReadAt !== undefined && (
            <span className="soft">
              The first page is always up to date, the others were read{" "}
              <Time at={new Date(olderReadAt).toISOString()} />.{" "}
              <Button text="Refresh" look="quiet" onClick={() => refetch()} />
            </span>
          )}
        </div>
      )}
    </>
  );
}

function countText({ count, countIsMore }: Counted, { one, many }: Nouns): string {
  return `${number(count)}${countIsMore ? "+" : ""} ${count === 1 && !countIsMore ? one : many}`;
}

const NOT_FOUND = 404;
const ITEMS: Nouns = { one: "item", many: "items" };

interface MissingProps {
  readonly read: Omit<Read<unknown>, "data">;
  readonly loading: ReactNode;
}

function Missing({ read: { error, refetch }, loading }: MissingProps) {
  if (error === null) return loading;
  if (error.status !== NOT_FOUND) return <ErrorNote failure={error} onRetry={refetch} />;
  // Trying again would not help.
  return (
    <EmptyState
      title={error.message.replace(/\.$/, "")}
      text="It may have been deleted, or its address is mistyped."
    />
  );
}

interface EmptyStateProps {
  readonly title: string;
  readonly text?: string;
  readonly children?: ReactNode;
}

export function EmptyState({ title, text, children }: EmptyStateProps) {
  return (
    <div className="empty">
      <h2>{title}</h2>
      {text !== undefined && <p>{text}</p>}
      {children}
    </div>
  );
}

function MoreButton({ list }: { readonly list: Pages }) {
  if (!list.hasNextPage) return null;
  return <Button text="Show more" isBusy={list.isFetchingNextPage} onClick={() => list.fetchNextPage()} />;
}

interface Nouns {
  readonly one: string;
  readonly many: string;
}

interface NewItemsBarProps {
  readonly news: News;
  readonly nouns: Nouns;
}

/** Says how many items are new, and shows them on request. It lies above the list, so that nothing moves when it appears. */
function NewItemsBar({ news: { count, hasMore, show, added }, nouns }: NewItemsBarProps) {
  const bar = useRef<HTMLDivElement>(null);
  const isAsked = useRef(false);
  // The button that had the focus is gone.
  useEffect(() => {
    if (!isAsked.current || added.size === 0) return;
    isAsked.current = false;
    bar.current?.scrollIntoView({ block: "nearest" });
    bar.current?.parentElement?.querySelector<HTMLElement>(".row-new :is(a, button)")?.focus();
  }, [added]);
  const ask = () => {
    isAsked.current = true;
    show();
  };
  return (
    <div ref={bar} className="new-items" role="status">
      {count > 0 && (
        <button type="button" className="button button-primary" onClick={ask}>
          {hasMore ? `${count}+` : count} new {count === 1 ? nouns.one : nouns.many}
          <span className="hidden">: show</span>
        </button>
      )}
    </div>
  );
}

const BARS = { rows: 8, parts: 3 };

export function Skeleton({ look }: { readonly look: keyof typeof BARS }) {
  return (
    <div className={`skeleton skeleton-${look}`} role="status">
      <span className="hidden">Loading…</span>
      {Array.from({ length: BARS[look] }, (_, bar) => (
        <span key={bar} className="skeleton-bar" />
      ))}
    </div>
  );
}

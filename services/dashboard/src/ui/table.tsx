// Rows with columns. A heading that begins with a link makes the whole row that link. Where there is little room, each row becomes a
// card, which shows the name of each column, or only two lines if columns have a `cardLine`.
import { createContext, type ReactNode, use } from "react";
import "./table.css";

export interface Column<Row> {
  readonly name: string;
  /** What the head of the column shows instead of its name. */
  readonly head?: ReactNode;
  readonly cell: (row: Row) => ReactNode;
  /** True for the column that names the row, which is exactly one. */
  readonly isHeading?: boolean;
  /** True for a column of amounts or counts, which is aligned at its end. */
  readonly isNumber?: boolean;
  /** True for a column of buttons, whose name is not visible. */
  readonly isActions?: boolean;
  /** Left out when there is little room; `later`, when there is less. Cards show it. */
  readonly isMinor?: boolean | "later";
  /** The line of a card that shows the cell. The first has the heading and one more cell, the second three, the third one cell. */
  readonly cardLine?: 1 | 2 | 3;
}

interface TableProps<Row extends { readonly id: string }> {
  readonly caption: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
}

const MANY_COLUMNS = 6;

export function Table<Row extends { readonly id: string }>({ caption, columns, rows }: TableProps<Row>) {
  const newRows = use(NewRows);
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
                <Cell key={column.name} column={column} row={row} />
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
  // It is no heading, because screen readers read those with each cell of the column.
  if (head !== undefined) return <td className="table-actions">{head}</td>;
  return (
    <th scope="col" className={classOf(column)}>
      <span className={isActions ? "hidden" : undefined}>{name}</span>
    </th>
  );
}

function Cell<Row>({ column, row }: { readonly column: Column<Row>; readonly row: Row }) {
  const { name, cell, isHeading, isActions, cardLine } = column;
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
export const NewRows = createContext<ReadonlySet<string>>(new Set());

export function Subject({ subject }: { readonly subject: string | null }) {
  if (subject === null) return null;
  return (
    <bdi className="clamped" title={subject}>
      {subject}
    </bdi>
  );
}

// Rows with columns. On a narrow screen each row becomes a card, whose cells carry the column's name.
import type { ReactNode } from "react";
import "./table.css";

export interface Column<Row> {
  readonly name: string;
  readonly cell: (row: Row) => ReactNode;
  /** The column that names the row. Exactly one has it. */
  readonly isHeading?: boolean;
  /** A column of amounts or counts, aligned at its end. */
  readonly isNumber?: boolean;
  /** A column of buttons has no visible name. */
  readonly isActions?: boolean;
}

interface TableProps<Row extends { readonly id: string }> {
  /** What the rows are, for screen readers. */
  readonly caption: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
}

export function Table<Row extends { readonly id: string }>({ caption, columns, rows }: TableProps<Row>) {
  return (
    <table className="table">
      <caption className="hidden">{caption}</caption>
      <thead>
        <tr>
          {columns.map(({ name, isActions, isNumber }) => (
            <th key={name} scope="col" className={isNumber ? "table-number" : undefined}>
              <span className={isActions ? "hidden" : undefined}>{name}</span>
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={row.id}>
            {columns.map((column) => (
              <Cell key={column.name} column={column} row={row} />
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Cell<Row>({ column, row }: { readonly column: Column<Row>; readonly row: Row }) {
  const { name, cell, isHeading, isActions, isNumber } = column;
  if (isHeading) return <th scope="row">{cell(row)}</th>;
  if (isActions) return <td className="table-actions">{cell(row)}</td>;
  return (
    <td data-name={name} className={isNumber ? "table-number" : undefined}>
      {cell(row)}
    </td>
  );
}

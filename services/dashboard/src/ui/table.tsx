// Rows with columns. On a narrow screen each row becomes a card, and each cell shows the name of its column.
import type { ReactNode } from "react";
import "./table.css";

export interface Column<Row> {
  readonly name: string;
  readonly cell: (row: Row) => ReactNode;
  /** True for the column that names the row, which is exactly one. */
  readonly isHeading?: boolean;
  /** True for a column of amounts or counts, which is aligned at its end. */
  readonly isNumber?: boolean;
  /** True for a column of buttons, whose name is not visible. */
  readonly isActions?: boolean;
}

interface TableProps<Row extends { readonly id: string }> {
  /** The name of the table, for screen readers. */
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

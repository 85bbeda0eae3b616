// Two versions of an entry side by side. Differences are marked by a word, not only by colour.
import { wordsOf } from "../../format/words.ts";
import { Badge } from "../../ui/badge.tsx";
import { type Column, Table } from "../../ui/table.tsx";
import { type Data, isSameValue, type TypeField } from "./field-values.ts";
import { Value } from "./value.tsx";

export interface Version {
  readonly name: string;
  readonly slug: string;
  readonly data: Data;
}

interface ComparisonProps {
  readonly caption: string;
  readonly fields: readonly TypeField[];
  readonly one: Version;
  /** If it is missing, only `one` is shown. */
  readonly other?: Version;
}

interface Row extends TypeField {
  readonly id: string;
}

const SLUG = "slug of the entry";

export function Comparison({ caption, fields, one, other }: ComparisonProps) {
  const valueIn = ({ slug, data }: Version, { id, key }: Row) => (id === SLUG ? slug : data[key]);
  const rows: Row[] = [
    ...fields.map((field) => ({ ...field, id: field.key })),
    { id: SLUG, key: "Slug", type: "text", required: true },
  ];
  const differs = (row: Row) => other !== undefined && !isSameValue(valueIn(one, row), valueIn(other, row));
  const side = (version: Version): Column<Row> => ({
    name: version.name,
    cell: (row) => <Value field={row} value={valueIn(version, row)} />,
  });
  const columns: Column<Row>[] = [
    {
      name: "Field",
      isHeading: true,
      cell: (row) => (
        <span className="row">
          <span title={row.id === SLUG ? undefined : row.key}>{wordsOf(row.key)}</span>
          {differs(row) && <Badge tone="warning">Differs</Badge>}
        </span>
      ),
    },
    side(one),
    ...(other === undefined ? [] : [side(other)]),
  ];
  return (
    <div className="compared">
      <Table caption={caption} columns={columns} rows={rows} />
    </div>
  );
}

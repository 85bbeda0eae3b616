import { sql } from "kysely";
import {
  arrayParametersOf,
  arraysOf,
  columnsOf,
  namedStatement,
  parametersOf,
  type RowColumns,
  rowsAs,
  toStatement,
} from "./statements.ts";

interface Mug {
  readonly colour: string;
  readonly price: number;
}
const mug = {
  colour: ({ colour }: Mug) => colour,
  price: ({ price }: Mug) => price,
};

describe("a statement with named parameters", () => {
  test("numbers its parameters in the order in which the text names them first", () => {
    const text =
      "select from mugs where price > $mug.price and colour = $mug.colour or cost = $mug.price::int";
    const findMugs = namedStatement<Mug>(text, { mug });
    expect(findMugs({ colour: "blue", price: 3 })).toEqual({
      text: "select from mugs where price > $1 and colour = $2 or cost = $1::int",
      values: [3, "blue"],
    });
  });

  test("inserts each value into its column, in whatever order they are described", () => {
    const insertMug = namedStatement<Mug>(
      `insert into mugs (${columnsOf(mug)}) values (${parametersOf("mug", mug)})`,
      { mug },
    );
    expect(insertMug({ price: 3, colour: "blue" })).toMatchObject({
      text: "insert into mugs (colour, price) values ($1, $2)",
      values: ["blue", 3],
    });
  });

  test("distinguishes the parameters of two groups", () => {
    const text = "update mugs set price = $new.price where price = $old.price";
    const raise = namedStatement<Mug>(text, {
      old: { price: ({ price }) => price },
      new: { price: ({ price }) => price + 1 },
    });
    expect(raise({ colour: "blue", price: 3 }).values).toEqual([4, 3]);
  });

  test("sends a value once that two columns share", () => {
    const price = ({ price }: Mug) => price;
    const text = "insert into mugs (price, cost) values ($mug.price, $mug.cost)";
    const insertMug = namedStatement<Mug>(text, { mug: { price, cost: price } });
    expect(insertMug({ colour: "blue", price: 3 })).toMatchObject({
      text: "insert into mugs (price, cost) values ($1, $1)",
      values: [3],
    });
  });

  test("throws if the text names a parameter that is not described, or does not use one that is", () => {
    expect(() => namedStatement("select $mug.size", { mug })).toThrow("$mug.size is not described");
    expect(() => namedStatement("select $mug.price", { mug })).toThrow("the text does not use $mug.colour");
  });
});

test("rows are one array for each column, in named statements and in Kysely's SQL", () => {
  const columns: RowColumns<Mug> = { colour: ["text", mug.colour], price: ["int", mug.price] };
  const mugs = ["blue", "red"].map((colour, index) => ({ colour, price: 3 + index }));
  const insertMugs = namedStatement<Mug[]>(`select from unnest(${arrayParametersOf("mug", columns)})`, {
    mug: arraysOf(columns, (all: Mug[]) => all),
  });
  const unnested = "select from unnest($1::text[], $2::int[])";
  const values = [mugs.map(mug.colour), mugs.map(mug.price)];
  expect(insertMugs(mugs)).toEqual({ text: unnested, values });
  expect(toStatement(sql`select from ${rowsAs("mug", columns, mugs)} where price > ${2}`)).toEqual({
    text: `${unnested} as mug (colour, price) where price > $3`,
    values: [...values, 2],
  });
});

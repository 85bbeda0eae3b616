import { globSync, readFileSync } from "node:fs";
import path from "node:path";

const WRITES =
  /\b(update|insert into|delete from) deliveries\b|\b(updateTable|insertInto|deleteFrom)\("deliveries"\)/;

test("only this folder writes the table deliveries", () => {
  const src = path.dirname(import.meta.dirname);
  const writers = globSync("**/*.ts", { cwd: src })
    .filter((file) => !file.endsWith(".test.ts"))
    .filter((file) => WRITES.test(readFileSync(path.join(src, file), "utf8")));
  expect(new Set(writers.map((file) => file.split("/")[0]))).toEqual(new Set(["delivery"]));
});

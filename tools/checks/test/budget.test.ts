import { expect, test } from "@jest/globals";
import { countFiles, overBudget } from "../src/budget.ts";

const counts = countFiles(
  [
    [
      "services/orders/src/note/note.ts",
      `export { a } from "./small.ts";\n${"export const b = 1;\n".repeat(21)}`,
    ],
    ["services/orders/src/note/small.ts", "// Two words.\nexport const a = 1;\n"],
    ["services/orders/test/note.test.ts", 'import "../src/note/small.ts";\n'],
    ["tools/ops/src/long.ts", `function long() {\n${"  step();\n".repeat(69)}}\n`],
    ["packages/client/src/generated/resources.ts", "export {};\n"],
    ["README.md", "# Three words here\n\n| 1 | - |\n"],
    ["package.json", '{ "scripts": { "start": "", "test": "" } }\n'],
  ].map(([name = "", text = ""]) => ({ name, text, lines: text.split("\n").length - 1 })),
);

test("counts lines by area, and generated lines apart", () => {
  expect(counts).toMatchObject({
    "source lines of services/orders": 24,
    "source lines of tools": 71,
    "test lines of services/orders": 1,
    "generated lines": 1,
    "source files": 3,
  });
});

test("counts what makes the code hard to find a way in", () => {
  expect(counts).toMatchObject({
    "source files of at most 30 lines with one importer": 1,
    "functions above 70 lines": 1,
    "names that doors export above 20": 2,
    "words of comments in source": 2,
    "words of Markdown": 3,
    "root scripts": 2,
  });
});

test("a count above the budget or without one is a fault", () => {
  const faults = overBudget({ lines: 11, files: 3, doors: 1 }, { lines: 10, files: 3 });
  expect(faults.map((fault) => fault.split(".")[0])).toEqual([
    "lines: 11, and tools/checks/budget",
    "doors: 1, and tools/checks/budget",
  ]);
});

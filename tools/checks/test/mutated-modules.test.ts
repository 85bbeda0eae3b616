// `npm run mutants` takes minutes, so the tests do not run it. This test finds pure modules that are missing in its list.
import { existsSync, globSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "@jest/globals";
import { LEFT_OUT, MODULES } from "../src/mutants/modules.ts";
import { ROOT } from "../src/root.ts";

// The dashboard's pure modules make texts for people, which an assertion would only repeat.
const WORKSPACES = "{packages/*,services/{gateway,orders,content,webhooks}}";

test("each module that says it is pure, and has a test of its own, is changed by mutants or left out for a reason", () => {
  const pure = globSync(`${WORKSPACES}/src/**/*.ts`, { cwd: ROOT }).filter(
    (file) => saysItIsPure(file) && existsSync(path.join(ROOT, file.replace(/\.ts$/, ".test.ts"))),
  );
  expect(pure).toContain("services/orders/src/erasure/erase-texts.ts");
  const leftOut = Object.values(LEFT_OUT).flat();
  expect(pure.filter((file) => !(file in MODULES) && !leftOut.includes(file))).toEqual([]);
  expect(leftOut.filter((file) => file in MODULES || !pure.includes(file))).toEqual([]);
});

/** Reports whether the comment at the top of the file ends with, or contains, the word. */
function saysItIsPure(file: string): boolean {
  const lines = readFileSync(path.join(ROOT, file), "utf8").split("\n");
  const end = lines.findIndex((line) => !line.startsWith("//"));
  return /\bPure\./.test(lines.slice(0, end).join("\n"));
}

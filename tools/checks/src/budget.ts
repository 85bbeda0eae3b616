// The budget of the repository's size: what `npm run check` counts and prints, with the most that tools/checks/budget.json allows.
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import path from "node:path";
import ts from "typescript";
import { ROOT } from "./root.ts";

const BUDGET = "tools/checks/budget.json";
const SMALL_FILE_LINES = 30;
const FUNCTION_LINES_MAX = 70;
const DOOR_NAMES_MAX = 20;

type SourceFile = ReturnType<typeof readSource>[number];

/** Counts by name, such as `lines of services/orders`. */
export type Counts = Record<string, number>;

/** Prints the repository's counts with the budget. Returns a sentence for each count above it. */
export function checkBudget(print: (text: string) => void): string[] {
  return compareWithBudget(countFiles(readRepository()), print);
}

/** Prints the counts with the budget. Returns a sentence for each count above it. */
export function compareWithBudget(counts: Counts, print: (text: string) => void): string[] {
  const budget = JSON.parse(readFileSync(path.join(ROOT, BUDGET), "utf8")) as Counts;
  for (const [name, count] of Object.entries(counts)) print(describe(name, count, budget[name]));
  return overBudget(counts, budget);
}

function describe(name: string, count: number, most: number | undefined): string {
  return `${name.padEnd(48)}${String(count).padStart(8)} of ${String(most ?? "?").padStart(7)}`;
}

/** Returns a sentence for each count that is above the budget or that the budget lacks. */
function overBudget(counts: Counts, budget: Counts): string[] {
  return Object.entries(counts)
    .filter(([name, count]) => count > (budget[name] ?? -1))
    .map(
      ([name, count]) =>
        `${name}: ${count}, and ${BUDGET} allows ${budget[name] ?? "nothing"}. Make something smaller; the number rises only in a commit of its own that says why.`,
    );
}

function readRepository(): SourceFile[] {
  const listed = execFileSync("git", ["ls-files", "-z"], { cwd: ROOT, encoding: "utf8" });
  return listed.split("\0").filter(isCounted).flatMap(readSource);
}

/** Returns what the budget limits. Lines by hand are of TypeScript and JavaScript. */
function countFiles(files: readonly SourceFile[]): Counts {
  const isCode = ({ name }: SourceFile) => /\.(ts|tsx|mts|mjs|cjs)$/.test(name);
  const code = files.filter(isCode).filter(({ name }) => !isGenerated(name));
  const source = code.filter(({ name }) => !isTest(name) && /^(services|packages|tools)\//.test(name));
  const tests = code.filter(({ name }) => isTest(name));
  const trees = source.map(({ name, text }) => ts.createSourceFile(name, text, ts.ScriptTarget.Latest, true));
  const manifest = files.find(({ name }) => name === "package.json")?.text ?? '{ "scripts": {} }';
  const { scripts } = JSON.parse(manifest) as { scripts: object };
  return {
    ...linesByArea("source lines of", source),
    ...linesByArea("test lines of", tests),
    "generated lines": sum(files.filter(({ name }) => isGenerated(name)).map(({ lines }) => lines)),
    "source files": source.length,
    [`source files of at most ${SMALL_FILE_LINES} lines with one importer`]: smallFiles(source),
    [`functions above ${FUNCTION_LINES_MAX} lines`]: sum(trees.map(longFunctions)),
    [`names that doors export above ${DOOR_NAMES_MAX}`]: sum(trees.map(namesAboveDoor)),
    "words of comments in source": sum(source.map(({ text }) => commentWords(text))),
    "words of Markdown": sum(files.filter(({ name }) => name.endsWith(".md")).map(({ text }) => words(text))),
    "root scripts": Object.keys(scripts).length,
  };
}

function isCounted(name: string): boolean {
  return /\.(ts|tsx|mts|mjs|cjs|md)$|^package\.json$/.test(name) || isGenerated(name);
}

function readSource(name: string) {
  try {
    const text = readFileSync(path.join(ROOT, name), "utf8");
    return [{ name, text, lines: text.split("\n").length - 1 }];
  } catch {
    return []; // Deleted, and still in git's index.
  }
}

function isTest(name: string): boolean {
  return /(^|\/)tests?\//.test(name) || /\.test\.tsx?$/.test(name);
}

function isGenerated(name: string): boolean {
  return name.includes("/generated/") || /^docs\/openapi.*\.json$/.test(name);
}

/** Services and the dashboard have a budget each; packages, tools and tests one together. */
function linesByArea(label: string, files: readonly SourceFile[]): Counts {
  const counts: Counts = {};
  for (const { name, lines } of files) {
    const [area = "", part = ""] = name.split("/");
    const key = `${label} ${area === "services" ? `${area}/${part}` : area}`;
    counts[key] = (counts[key] ?? 0) + lines;
  }
  return counts;
}

function smallFiles(files: readonly SourceFile[]): number {
  const importers = new Map<string, number>();
  for (const { name, text } of files) {
    const imported = [...text.matchAll(/(?:from|import\()\s*"([.@][^"]+)"/g)].map(
      ([, target = ""]) => target,
    );
    for (const target of new Set(imported)) {
      const file = target.startsWith(".")
        ? path.posix.join(path.posix.dirname(name), target)
        : target.replace(/^@tradepost\/([^/]+)\/(.+)$/, "services/$1/src/$2.ts");
      importers.set(file, (importers.get(file) ?? 0) + 1);
    }
  }
  return files.filter(({ name, lines }) => lines <= SMALL_FILE_LINES && importers.get(name) === 1).length;
}

function longFunctions(file: ts.SourceFile): number {
  // `service.ts` wires the parts of a service together.
  if (path.basename(file.fileName) === "service.ts") return 0;
  let count = 0;
  const visit = (node: ts.Node): void => {
    if (ts.isFunctionLike(node) && "body" in node && node.body !== undefined) {
      const [from, to] = [node.getStart(), node.end].map((at) => file.getLineAndCharacterOfPosition(at).line);
      if ((to ?? 0) - (from ?? 0) >= FUNCTION_LINES_MAX) count++;
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return count;
}

/** A door is the file of a wing of a service that has the wing's name; other wings import only it. */
function namesAboveDoor(file: ts.SourceFile): number {
  const parts = file.fileName.split("/");
  if (parts[0] !== "services" || parts.at(-1) !== `${parts.at(-2)}.ts`) return 0;
  const names = file.statements.map((statement) => {
    if (ts.isExportDeclaration(statement) && statement.exportClause !== undefined) {
      return ts.isNamedExports(statement.exportClause) ? statement.exportClause.elements.length : 1;
    }
    const isExported =
      ts.canHaveModifiers(statement) && ts.getModifiers(statement)?.[0]?.kind === ts.SyntaxKind.ExportKeyword;
    if (!isExported) return 0;
    return ts.isVariableStatement(statement) ? statement.declarationList.declarations.length : 1;
  });
  return Math.max(0, sum(names) - DOOR_NAMES_MAX);
}

function commentWords(text: string): number {
  return sum(
    [...text.matchAll(/(?<![:"'`])\/\/(.*)$|\/\*([\s\S]*?)\*\//gm)].map(([, line, block]) =>
      words(line ?? block ?? ""),
    ),
  );
}

/** Counts what contains a letter. */
function words(text: string): number {
  return text.split(/\s+/).filter((word) => /\p{L}/u.test(word)).length;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

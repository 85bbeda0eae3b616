// The checks that need no servers: format and lint, types, import rules, unused code, manifests, references,
// budget.
import { spawn } from "node:child_process";
import path from "node:path";
import { checkBudget } from "./budget.ts";
import { findBrokenReferences, readFiles } from "./references.ts";
import { ROOT } from "./root.ts";

const IMPORT_RULES = "tools/checks/import-rules.cjs";

interface Failure {
  name: string;
  output: string;
}

interface Program {
  name: string;
  program: string;
  args: string[];
}

// Several checkers would each check the types that files share, and all checks together use the cores anyway.
const TSC = ["--checkers", "1", "--pretty", "false", "-p"];
const PROGRAMS: Program[] = [
  { name: "format and lint", program: "biome", args: ["ci", "--colors=off", "--diagnostic-level=warn", "."] },
  { name: "types", program: "tsc", args: [...TSC, "tsconfig.json"] },
  { name: "types of the dashboard", program: "tsc", args: [...TSC, "services/dashboard/tsconfig.json"] },
  {
    name: "imports",
    program: "depcruise",
    args: ["--config", IMPORT_RULES, "packages", "services", "tools", "tests"],
  },
  { name: "unused code", program: "knip", args: ["--no-progress", "--no-config-hints"] },
];

const REFERENCES = "references";
const BUDGET = "budget";

/** Runs all checks concurrently, and prints the budget and the output of the checks that fail. Resolves with true if all succeed. */
export async function runChecks(): Promise<boolean> {
  const programs = PROGRAMS.map(run);
  const results = await Promise.all([...programs, checkReferences(), checkSize()]);
  const failures = results.filter((failure) => failure !== undefined);
  for (const failure of failures) console.log(`\n── ${failure.name} ──\n${failure.output.trim()}\n`);
  const names = [...PROGRAMS.map(({ name }) => name), REFERENCES, BUDGET].join(", ");
  if (failures.length === 0) console.log(`check: ${names} – passed`);
  else console.log(`check: ${failures.map(({ name }) => name).join(", ")} – failed`);
  return failures.length === 0;
}

function checkReferences(): Failure | undefined {
  const broken = findBrokenReferences(readFiles(ROOT));
  return broken.length === 0 ? undefined : { name: REFERENCES, output: broken.join("\n") };
}

function checkSize(): Failure | undefined {
  const above = checkBudget((text) => console.log(text));
  return above.length === 0 ? undefined : { name: BUDGET, output: above.join("\n") };
}

function run({ name, program, args }: Program): Promise<Failure | undefined> {
  const child = spawn(path.join(ROOT, "node_modules/.bin", program), args, {
    cwd: ROOT,
    env: { ...process.env, NO_COLOR: "1" },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (text: string) => {
      output += text;
    });
  }
  return new Promise((resolve) => {
    child.once("error", (error) => resolve({ name, output: error.message }));
    child.once("close", (code) => resolve(code === 0 ? undefined : { name, output }));
  });
}

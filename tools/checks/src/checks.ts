// The checks that need no servers: format and lint, types, import rules, unused code, manifests.
import { spawn } from "node:child_process";
import path from "node:path";

const ROOT = path.resolve(import.meta.dirname, "../../..");

const IMPORT_RULES = "tools/checks/import-rules.cjs";

interface Check {
  name: string;
  program: string;
  args: string[];
}

const CHECKS: Check[] = [
  { name: "format and lint", program: "biome", args: ["ci", "--colors=off", "--diagnostic-level=warn", "."] },
  { name: "types", program: "tsc", args: ["-p", "tsconfig.json", "--pretty", "false"] },
  {
    name: "imports",
    program: "depcruise",
    args: ["--config", IMPORT_RULES, "packages", "services", "tools", "tests"],
  },
  { name: "unused code", program: "knip", args: ["--no-progress", "--no-config-hints"] },
  { name: "manifests", program: "sherif", args: [] },
];

/** Runs them side by side and prints what those say that fail. Resolves to whether all are good. */
export async function runChecks(): Promise<boolean> {
  const failures = (await Promise.all(CHECKS.map(run))).filter((failure) => failure !== undefined);
  for (const failure of failures) console.log(`\n── ${failure.name} ──\n${failure.output.trim()}\n`);
  const names = CHECKS.map((check) => check.name).join(", ");
  if (failures.length === 0) console.log(`check: ${names} – all good`);
  else console.log(`check: ${failures.map((failure) => failure.name).join(", ")} – not good`);
  return failures.length === 0;
}

function run({ name, program, args }: Check): Promise<{ name: string; output: string } | undefined> {
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

// `npm run mutants [-- TEXT …]`: changes pure modules in one place at a time, and runs their unit tests. A change that no test notices
// is a survivor: it needs an assertion, or a reason in survivors.json. The exit status is 1 if one has neither, or if survivors.json
// names a change that is not a survivor.
import { fork } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { ROOT } from "../root.ts";
import { MODULES } from "./modules.ts";
import { type Mutant, mutantsOf } from "./mutate.ts";
import type { MutantsToTest } from "./test-mutants.ts";

const KILLED_MIN = 0.9;
/** A mutant that runs for longer has a loop without an end. */
const MUTANT_MS_MAX = 20_000;
/** Node keeps each mutant in memory. */
const MUTANTS_OF_PROCESS_MAX = 150;

/** Changes of a module that may survive, for a reason. */
interface Survivors {
  readonly module: string;
  readonly reason: string;
  readonly changes: readonly string[];
}

const survivorsFile = path.join(import.meta.dirname, "survivors.json");
const known: readonly Survivors[] = JSON.parse(readFileSync(survivorsFile, "utf8"));
const words = process.argv.slice(2);
for (const { module } of known)
  if (!(module in MODULES)) throw new Error(`survivors.json names ${module}, which is not tested.`);
const chosen = Object.entries(MODULES).filter(
  ([module]) => words.length === 0 || words.some((word) => module.includes(word)),
);
const counts = { all: 0, killed: 0, unnamed: 0, superfluous: 0 };
for (const [module, tests] of chosen) await testModule(module, tests);
const score = counts.killed / counts.all;
console.log(`\n${counts.killed} of ${counts.all} mutants killed (${(score * 100).toFixed(1)} %)`);
if (counts.unnamed > 0)
  console.log(`${counts.unnamed} survivors are not in ${path.relative(ROOT, survivorsFile)}`);
if (counts.superfluous > 0)
  console.log(`${counts.superfluous} changes in ${path.relative(ROOT, survivorsFile)} are not survivors`);
process.exit(score >= KILLED_MIN && counts.unnamed === 0 && counts.superfluous === 0 ? 0 : 1);

async function testModule(module: string, otherTests: readonly string[]): Promise<void> {
  const tests = otherTests.length > 0 ? otherTests : [module.replace(/\.ts$/, ".test.ts")];
  const missing = tests.filter((test) => !existsSync(path.join(ROOT, test)));
  if (missing.length > 0) throw new Error(`${module} has no tests in ${missing.join(", ")}.`);
  const source = readFileSync(path.join(ROOT, module), "utf8");
  const [passesUnchanged] = await testInProcess({ module, tests, source, mutants: [null] });
  if (!passesUnchanged) throw new Error(`The tests of ${module} fail.`);
  const mutants = mutantsOf(source, module);
  const survivors = await survivorsAmong({ module, tests, source }, mutants);
  const named = known.filter((one) => one.module === module).flatMap(({ changes }) => changes);
  const unnamed = survivors.filter(({ change }) => !named.includes(change));
  const superfluous = named.filter((name) => !survivors.some(({ change }) => change === name));
  counts.all += mutants.length;
  counts.killed += mutants.length - survivors.length;
  counts.unnamed += unnamed.length;
  counts.superfluous += superfluous.length;
  console.log(`${module}: ${mutants.length - survivors.length} of ${mutants.length}`);
  for (const { line, change } of unnamed) console.log(`  ${line}: ${change}`);
  for (const name of superfluous) console.log(`  no survivor: ${name}`);
}

/** Resolves to the mutants that pass the tests. */
async function survivorsAmong(
  work: Omit<MutantsToTest, "mutants">,
  mutants: readonly Mutant[],
): Promise<Mutant[]> {
  const survivors: Mutant[] = [];
  for (let done = 0; done < mutants.length; ) {
    const batch = mutants.slice(done, done + MUTANTS_OF_PROCESS_MAX);
    // The module itself comes last: if it fails, a mutant has broken the process, and the ones after it failed for that reason.
    const passed = await testInProcess({ ...work, mutants: [...batch, null] });
    if (passed[batch.length] === false)
      throw new Error(`The tests of ${work.module} fail in a process that has run its mutants.`);
    survivors.push(...batch.filter((_, index) => passed[index]));
    done += Math.min(passed.length, batch.length);
  }
  return survivors;
}

/** Resolves to whether each mutant passes the tests, until the first one that does not end. */
function testInProcess(work: MutantsToTest): Promise<boolean[]> {
  const passed: boolean[] = [];
  const program = path.join(import.meta.dirname, "test-mutants.ts");
  const child = fork(program, {
    execArgv: ["--conditions=source"],
    stdio: ["ignore", "ignore", "ignore", "ipc"],
  });
  child.send(work);
  return new Promise((resolve, reject) => {
    let timer = setTimeout(() => undefined);
    const restart = () => {
      clearTimeout(timer);
      timer = setTimeout(() => child.kill("SIGKILL"), MUTANT_MS_MAX);
    };
    restart();
    child.on("message", (passes) => {
      passed.push(passes === true);
      restart();
    });
    child.once("error", reject);
    child.once("exit", () => {
      clearTimeout(timer);
      // A process that is killed, or that a mutant has ended, leaves this mutant without a result.
      resolve(passed.length < work.mutants.length ? [...passed, false] : passed);
    });
  });
}

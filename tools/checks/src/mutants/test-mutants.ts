// A process that runs the tests of a module against its mutants, one after the other. Each mutant is a module of its own for Node,
// with those of its workspace that import it, so nothing has to be compiled or started again.
import { createRequire, registerHooks } from "node:module";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { ROOT } from "../root.ts";
import type { Mutant } from "./mutate.ts";

export interface MutantsToTest {
  readonly module: string;
  readonly tests: readonly string[];
  readonly source: string;
  /** Null is the module itself. */
  readonly mutants: readonly (Mutant | null)[];
}

const circusFile = createRequire(import.meta.url).resolve("jest-circus", { paths: [ROOT] });
const globalsUrl = pathToFileURL(path.join(ROOT, "tools/checks/jest/globals.mjs")).href;
let generation = 0;
let mutatedSource = "";

process.on("message", (work: MutantsToTest) => void testAll(work));

async function testAll({ module, tests, source, mutants }: MutantsToTest): Promise<void> {
  // Parts of jest that its packages bring with them.
  const load = createRequire(circusFile);
  const circus = load("jest-circus");
  const { jestExpect } = load("@jest/expect");
  const { setGlobals } = await import(globalsUrl);
  setGlobals({ ...circus, expect: jestExpect });
  replaceModule(module);
  for (const mutant of mutants) {
    generation += 1;
    mutatedSource =
      mutant === null
        ? source
        : source.slice(0, mutant.start) + mutant.replacement + source.slice(mutant.end);
    process.send?.(await passes(circus, tests));
  }
  process.exit(0);
}

interface Circus {
  resetState(): void;
  run(): Promise<{ unhandledErrors: unknown[]; testResults: { errors: unknown[] }[] }>;
}

async function passes({ resetState, run }: Circus, tests: readonly string[]): Promise<boolean> {
  resetState();
  try {
    for (const file of tests)
      await import(`${pathToFileURL(path.join(ROOT, file)).href}?mutant=${generation}`);
    const { unhandledErrors, testResults } = await run();
    return unhandledErrors.length === 0 && testResults.every(({ errors }) => errors.length === 0);
  } catch {
    return false;
  }
}

/** Lets Node load the modules of the module's workspace again for each mutant, and the mutant in place of the module. */
function replaceModule(module: string): void {
  const workspace = pathToFileURL(path.join(ROOT, ...module.split("/").slice(0, 2), "/")).href;
  const moduleUrl = pathToFileURL(path.join(ROOT, module)).href;
  registerHooks({
    resolve: (specifier, context, next) => {
      if (specifier === "@jest/globals") return { url: globalsUrl, shortCircuit: true };
      const isPackage = context.parentURL?.includes("/node_modules/") === true;
      // As in native-modules.cjs.
      const conditions = context.conditions.filter((condition) => !isPackage || condition !== "source");
      const resolved = next(specifier, { ...context, conditions });
      const isOfWorkspace = resolved.url.startsWith(workspace) && !resolved.url.includes("/node_modules/");
      const isAgain = isOfWorkspace && !resolved.url.includes("?");
      return isAgain ? { ...resolved, url: `${resolved.url}?mutant=${generation}` } : resolved;
    },
    load: (url, context, next) => {
      if (url !== `${moduleUrl}?mutant=${generation}`) return next(url, context);
      return { format: "module-typescript", source: mutatedSource, shortCircuit: true };
    },
  });
}

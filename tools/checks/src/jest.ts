// Starts jest with the repository's configuration, on the packages' sources.
import { type ChildProcess, spawn } from "node:child_process";
import path from "node:path";
import { ROOT } from "./root.ts";

const JEST = path.join(ROOT, "node_modules/jest/bin/jest.js");
const CONFIG = path.join(ROOT, "tools/checks/jest.config.mjs");

/** If `detached`, jest and its workers form one process group. */
export function startJest(
  args: readonly string[],
  { env, detached = false }: { env: NodeJS.ProcessEnv; detached?: boolean },
): ChildProcess {
  return spawn(process.execPath, ["--conditions=source", JEST, "-c", CONFIG, ...args], {
    cwd: ROOT,
    env,
    stdio: "inherit",
    detached,
  });
}

// `npm run build`: compiles every package and service that has changed, through turbo. Turbo runs each package's script with
// pnpm, which npx provides: nobody has to install it.
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import path from "node:path";
import { onStopRequest } from "@tradepost/devstack";

const ROOT = path.resolve(import.meta.dirname, "../../..");
const FAILED = 1;

const { packageManager } = JSON.parse(readFileSync(path.join(ROOT, "package.json"), "utf8"));
const pnpm = `--package=${packageManager.split("+", 1)[0]}`;
const build = spawn("npx", ["-y", pnpm, "--", "turbo", "run", "build", ...process.argv.slice(2)], {
  cwd: ROOT,
  stdio: ["ignore", "inherit", "inherit"],
  // The version is exact, so a copy that npm has is the right one. The log level lets npx print errors, which .npmrc turns off.
  env: { ...process.env, npm_config_prefer_offline: "true", npm_config_loglevel: "error" },
});
onStopRequest(() => build.kill("SIGTERM"));
build.once("error", (error) => {
  console.error(`${error.message}: is npm installed?`);
  process.exit(FAILED);
});
build.once("exit", (code) => process.exit(code ?? FAILED));

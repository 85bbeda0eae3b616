// The first step of every npm script, on any Node from version 20, without packages: installs the packages, one of which is the
// project's Node, makes the client's types and starts the script: `bootstrap.mjs <script> [arguments]`.
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { constants } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const BINARIES = path.join(ROOT, "node_modules/.bin");
const STAMP = path.join(ROOT, "node_modules/.installed");
const WRITE_API_TYPES = path.join(ROOT, "packages/client/write-api-types.mjs");
const LOCK = path.join(ROOT, ".cache/install.lock");
const NODE_TO_START_WITH = 20;
const NODE_TO_RUN_ON = 24;
const CLEAR_LINE = process.stderr.isTTY ? "\r\x1b[K" : "";

let child;
let isStopping = false;

// SIGHUP, when the terminal closes, ends this process; the script notices that and stops too.
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => forward(signal));
stopWhenNpmExits();
process.exit(await main(process.argv.slice(2)).catch((error) => refuse(error.message)));

async function main(command) {
  if (majorVersion() < NODE_TO_START_WITH)
    return refuse(`Node ${NODE_TO_START_WITH} or newer is needed to start with; this is ${process.version}.`);
  process.chdir(ROOT);
  if (!isInstalled()) {
    const isStart = command[0].endsWith("/start.ts");
    const [code] = await Promise.all([installOnce(), isStart && fetchRabbitmq()]);
    if (code !== 0) return code;
  }
  const node = existsSync(path.join(BINARIES, "node")) ? path.join(BINARIES, "node") : process.execPath;
  if (node === process.execPath && majorVersion() < NODE_TO_RUN_ON) {
    return refuse(
      `Node ${NODE_TO_RUN_ON} is needed, and its package is not available for this platform: install Node ${NODE_TO_RUN_ON} and run this again.`,
    );
  }
  return (await writeApiTypes(node)) || runScript(node, command);
}

function forward(signal) {
  isStopping = true;
  child?.kill(signal);
}

/** Npm runs this process in a shell and forwards signals only to the shell, so it has to watch its parent. */
function stopWhenNpmExits() {
  const parent = process.ppid;
  if (process.env.npm_lifecycle_event === undefined) return;
  setInterval(() => {
    if (process.ppid !== parent && !isStopping) forward("SIGTERM");
  }, 250).unref();
}

function majorVersion() {
  return Number(process.versions.node.split(".")[0]);
}

function refuse(sentence) {
  console.error(sentence);
  return 1;
}

function isInstalled() {
  return existsSync(STAMP) && readFileSync(STAMP, "utf8") === fingerprint();
}

function fingerprint() {
  const hash = createHash("sha256").update(`${process.platform} ${process.arch}`);
  const workspaces = ["packages", "services", "tools"].flatMap((group) =>
    readdirSync(path.join(ROOT, group))
      .sort()
      .map((name) => `${group}/${name}/package.json`),
  );
  for (const file of [
    "pnpm-lock.yaml",
    "pnpm-workspace.yaml",
    "pnpmfile.mjs",
    "package.json",
    "tests/package.json",
    ...workspaces,
  ]) {
    if (existsSync(path.join(ROOT, file)))
      hash.update(`\n${file}\n`).update(readFileSync(path.join(ROOT, file)));
  }
  return hash.digest("hex");
}

/** When two scripts start at the same time, the second waits and finds the packages installed. */
async function installOnce() {
  mkdirSync(path.dirname(LOCK), { recursive: true });
  while (!(await takeLock())) await sleep(200);
  try {
    return isInstalled() ? 0 : await install();
  } finally {
    rmSync(LOCK, { force: true });
  }
}

async function takeLock() {
  try {
    writeFileSync(LOCK, String(process.pid), { flag: "wx" });
  } catch (error) {
    if (error.code !== "EEXIST") throw error;
    if (!isLocked()) rmSync(LOCK, { force: true });
    return false;
  }
  // Another script that removed the lock of a dead process may have removed this lock: only the last writer holds it.
  await sleep(100);
  return existsSync(LOCK) && readFileSync(LOCK, "utf8") === String(process.pid);
}

function isLocked() {
  try {
    const holder = readFileSync(LOCK, "utf8");
    // Its holder is about to write its pid.
    if (holder !== "") process.kill(Number(holder), 0);
    return true;
  } catch (error) {
    return error.code === "EPERM";
  }
}

/** Runs while npm installs, if this Node runs TypeScript. The script fetches what is missing. */
async function fetchRabbitmq() {
  if (majorVersion() < NODE_TO_RUN_ON || process.env.AMQP_URL) return;
  const { findRabbitmq } = await import("./src/rabbitmq/rabbitmq-binaries.ts");
  await findRabbitmq((line) => console.error(`${CLEAR_LINE}${line}`)).catch(() => undefined);
}

async function install() {
  // Not on standard output, which a program may read.
  console.error("Installing packages…");
  const startedAt = Date.now();
  let packages = "";
  const show = () => `${packages}${Math.round((Date.now() - startedAt) / 1_000)} s`;
  const tick = () => process.stderr.write(`${CLEAR_LINE}  ${show()} `);
  const ticking = process.stderr.isTTY ? setInterval(tick, 1_000) : undefined;
  const code = await installWith((text) => {
    const [, all, added] = /.*resolved (\d+),.* added (\d+)/s.exec(text) ?? [];
    if (all !== undefined) packages = `${added} of ${all} packages, `;
  });
  clearInterval(ticking);
  if (code === 0) console.error(`${CLEAR_LINE}  ${show()}`);
  return code;
}

/** Calls `onOutput` with the package manager's output. */
async function installWith(onOutput) {
  const { packageManager } = JSON.parse(readFileSync(path.join(ROOT, "package.json"), "utf8"));
  const [manager, sha512] = packageManager.split("+sha512.");
  const folder = path.join(ROOT, ".cache/pnpm");
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const packed = await runNpm(["pack", manager, "--pack-destination", folder]);
  if (packed !== 0) return packed;
  const archive = path.join(folder, readdirSync(folder).find((name) => name.endsWith(".tgz")) ?? "");
  if (createHash("sha512").update(readFileSync(archive)).digest("hex") !== sha512)
    return refuse(`The archive of ${manager} is not the one whose hash package.json has.`);
  // To check the age of each package in the lockfile again would ask the registry about each.
  const args = ["install", "--frozen-lockfile", "--trust-lockfile", "--reporter=append-only"];
  const code = await runNpm(["exec", "--yes", `--package=${archive}`, "--", "pnpm", ...args], onOutput);
  if (code === 0) writeFileSync(STAMP, fingerprint());
  return code;
}

/** Prints the output only if npm fails. */
async function runNpm(args, onOutput = () => {}) {
  // With CI, pnpm asks no questions. The log level lets npm print errors, which .npmrc turns off.
  const env = { ...process.env, CI: "true", npm_config_loglevel: "error" };
  child = spawn("npm", args, { stdio: ["ignore", "pipe", "pipe"], env });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (text) => {
      output += text;
      onOutput(text);
    });
  }
  const code = await exitCode(child);
  if (code !== 0) console.error(`${output}\nThe packages could not be installed (npm ${args.join(" ")}).`);
  return code;
}

/**
 * The script has a session of its own, so that Ctrl-C reaches it once, through this process. When this process is killed, the IPC
 * channel closes, and the script stops.
 */
function runScript(node, command) {
  child = spawn(node, ["--conditions=source", "--disable-warning=ExperimentalWarning", ...command], {
    stdio: ["inherit", "inherit", "inherit", "ipc"],
    env: {
      NODE_COMPILE_CACHE: path.join(ROOT, ".cache/compiled"),
      ...process.env,
      PATH: `${BINARIES}${path.delimiter}${process.env.PATH}`,
    },
    detached: true,
  });
  return exitCode(child);
}

/** The types are not in git. Resolves to the exit code. */
function writeApiTypes(node) {
  child = spawn(node, [WRITE_API_TYPES], { stdio: ["ignore", "inherit", "inherit"] });
  return exitCode(child);
}

function exitCode(started) {
  return new Promise((resolve) => {
    started.once("error", (error) => resolve(refuse(`${error.message}: is npm installed?`)));
    started.once("close", (code, signal) => resolve(code ?? 128 + constants.signals[signal]));
  });
}

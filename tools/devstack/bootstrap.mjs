// The first step of every npm script: runs on whatever Node the machine has, with nothing installed. It brings
// the packages, which include the Node the project runs on, and hands over: `bootstrap.mjs <script> [arguments]`.
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
const LOCK = path.join(ROOT, ".cache/install.lock");
const NODE_TO_BEGIN_WITH = 20;
const NODE_TO_RUN_ON = 24;

/** The program that runs now; what tells us to stop is passed on to it. */
let child;
let isStopping = false;

// SIGHUP ends us as it ends others when the terminal closes; the script notices that we are gone, and stops too.
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => passOn(signal));
stopWithNpm();
process.exit(await main(process.argv.slice(2)).catch((error) => refuse(error.message)));

async function main(command) {
  if (majorVersion() < NODE_TO_BEGIN_WITH)
    return refuse(`Node ${NODE_TO_BEGIN_WITH} or newer is needed to begin with; this is ${process.version}.`);
  process.chdir(ROOT);
  if (!isInstalled()) {
    const code = await installAlone();
    if (code !== 0) return code;
  }
  const node = existsSync(path.join(BINARIES, "node")) ? path.join(BINARIES, "node") : process.execPath;
  if (node === process.execPath && majorVersion() < NODE_TO_RUN_ON) {
    return refuse(
      `Node ${NODE_TO_RUN_ON} is needed, and its package is not to be had for this platform: install Node ${NODE_TO_RUN_ON} and run this again.`,
    );
  }
  return handOver(node, command);
}

function passOn(signal) {
  isStopping = true;
  child?.kill(signal);
}

/** Npm runs us under a shell, and passes a signal on to that shell alone; we see only that our parent is gone. */
function stopWithNpm() {
  const parent = process.ppid;
  if (process.env.npm_lifecycle_event === undefined) return;
  setInterval(() => {
    if (process.ppid !== parent && !isStopping) passOn("SIGTERM");
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

/** Changes with anything that could change what an installation brings. */
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
    "package.json",
    "tests/package.json",
    ...workspaces,
  ]) {
    if (existsSync(path.join(ROOT, file)))
      hash.update(`\n${file}\n`).update(readFileSync(path.join(ROOT, file)));
  }
  return hash.digest("hex");
}

/** Two scripts may be started at the same time; the second waits, and then finds the work done. */
async function installAlone() {
  mkdirSync(path.dirname(LOCK), { recursive: true });
  while (!(await holdLock())) await sleep(200);
  try {
    return isInstalled() ? 0 : await install();
  } finally {
    rmSync(LOCK, { force: true });
  }
}

async function holdLock() {
  try {
    writeFileSync(LOCK, String(process.pid), { flag: "wx" });
  } catch (error) {
    if (error.code !== "EEXIST") throw error;
    if (!isHeld()) rmSync(LOCK, { force: true });
    return false;
  }
  // Another script that found the lock of a dead one may have removed ours instead: only the last holder goes on.
  await sleep(100);
  return existsSync(LOCK) && readFileSync(LOCK, "utf8") === String(process.pid);
}

function isHeld() {
  try {
    const holder = readFileSync(LOCK, "utf8");
    // Empty: its holder is about to write into it.
    if (holder !== "") process.kill(Number(holder), 0);
    return true;
  } catch (error) {
    return error.code === "EPERM";
  }
}

async function install() {
  // Not on standard output: what the script prints there may be read by a program.
  console.error("Installing packages…");
  const { packageManager } = JSON.parse(readFileSync(path.join(ROOT, "package.json"), "utf8"));
  const args = ["-y", packageManager.split("+")[0], "install", "--frozen-lockfile"];
  // CI tells pnpm that nobody is there to answer questions; npx must say why it fails, which .npmrc keeps from it.
  const env = { ...process.env, CI: "true", npm_config_loglevel: "error" };
  child = spawn("npx", args, { stdio: ["ignore", "pipe", "pipe"], env });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (text) => {
      output += text;
    });
  }
  const code = await exitCode(child);
  if (code === 0) writeFileSync(STAMP, fingerprint());
  else console.error(`${output}\nThe packages could not be installed (npx ${args.join(" ")}).`);
  return code;
}

/**
 * The script gets a session of its own: Ctrl-C in a terminal then reaches it once, through us, and not a second
 * time directly. The IPC channel closes when we are killed, which tells the script that nobody is left to do so.
 */
function handOver(node, command) {
  child = spawn(node, ["--conditions=source", "--disable-warning=ExperimentalWarning", ...command], {
    stdio: ["inherit", "inherit", "inherit", "ipc"],
    env: { ...process.env, PATH: `${BINARIES}${path.delimiter}${process.env.PATH}` },
    detached: true,
  });
  return exitCode(child);
}

function exitCode(started) {
  return new Promise((resolve) => {
    started.once("error", (error) => resolve(refuse(`${error.message}: is npm installed beside Node?`)));
    started.once("close", (code, signal) => resolve(code ?? 128 + constants.signals[signal]));
  });
}

// Checks a commit out into a git work tree, and runs its platform by its own `npm start`, with only what interface §9 promises: the
// settings, the file stack.json, `ops tenant create` and the authority's folder.
import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { mkdir, rm, symlink } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { type PlatformFile, ROOT, type ServiceName, setUpTenant } from "@tradepost/devstack";
import { type MeasuredPlatform, SETTINGS } from "../platform.ts";

/** Returns the full name of a commit; undefined without it, as in a shallow clone, or without git. */
export async function findCommit(name: string): Promise<string | undefined> {
  return await git("rev-parse", "--verify", "--quiet", `${name}^{commit}`).catch(() => undefined);
}

/** `running` removes the work tree. Its own scripts install its packages. */
export async function checkOut(commit: string, folder: string, running: AsyncDisposableStack): Promise<void> {
  const adding = Promise.withResolvers<unknown>();
  running.defer(async () => {
    await adding.promise.catch(() => undefined);
    await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
    await git("worktree", "prune");
  });
  git("worktree", "add", "--detach", folder, commit).then(adding.resolve, adding.reject);
  await adding.promise;
  // Servers that were downloaded once.
  await mkdir(path.join(folder, ".cache"));
  for (const name of readdirSync(path.join(ROOT, ".cache")))
    if (name.endsWith(`-${process.arch}`))
      await symlink(path.join(ROOT, ".cache", name), path.join(folder, ".cache", name));
}

/** Resolves with the standard output. The repository may belong to another user, as in a container. */
async function git(...args: string[]): Promise<string> {
  const { stdout } = await promisify(execFile)("git", ["-c", "safe.directory=*", ...args], { cwd: ROOT });
  return stdout.trim();
}

/** `running` stops it. Rejects with what the launcher printed if it exits. */
export async function launchPlatform(
  root: string,
  dataDir: string,
  running: AsyncDisposableStack,
): Promise<MeasuredPlatform> {
  const env = environmentOf(dataDir);
  const [command, args] = scriptOf(root, "start");
  const launcher = spawn(command, args, { cwd: root, env, stdio: ["ignore", "pipe", "pipe"] });
  running.defer(async () => {
    if (launcher.exitCode !== null || launcher.signalCode !== null) return;
    launcher.kill("SIGTERM");
    await once(launcher, "exit");
  });
  await untilReady(launcher);
  const file = JSON.parse(readFileSync(path.join(dataDir, "stack.json"), "utf8")) as PlatformFile;
  const { gatewayUrl: url, databases, amqpUrl } = file;
  const create = async (slug: string) => {
    const { tenantId, owner } = await createTenant(root, env, slug);
    return { tenantId, ...(await setUpTenant(url, owner, { slug })) };
  };
  return {
    ...{ dataDir, url, databases, broker: { amqpUrl } },
    pid: (name) => pidOf(file, name),
    createTenants: (slugs) => Promise.all(slugs.map(create)),
  };
}

/** All servers are private. An older commit ignores the settings that it does not know. */
function environmentOf(dataDir: string): NodeJS.ProcessEnv {
  const isExternal = (name: string) => /_DATABASE_URL$|^AMQP_URL$|^NODE_EXTRA_CA_CERTS$/.test(name);
  const own = Object.entries(process.env).filter(([name]) => !isExternal(name));
  return {
    ...Object.fromEntries(own),
    ...SETTINGS,
    TRADEPOST_DATA_DIR: dataDir,
    // The launcher then also stops when this process is killed.
    npm_lifecycle_event: "start",
  };
}

/** The command of an npm script, without npm, which would exit before the script. */
function scriptOf(root: string, name: string): [command: string, args: string[]] {
  const manifest = readFileSync(path.join(root, "package.json"), "utf8");
  const { scripts } = JSON.parse(manifest) as { scripts: Record<string, string> };
  const [command = "", ...args] = (scripts[name] ?? "").split(" ");
  return [command, args];
}

async function untilReady(launcher: ChildProcess): Promise<void> {
  let output = "";
  await new Promise<void>((resolve, reject) => {
    for (const stream of [launcher.stdout, launcher.stderr]) {
      stream?.setEncoding("utf8").on("data", (text: string) => {
        output += text;
        if (/^ready /m.test(output)) resolve();
      });
    }
    launcher.once("error", reject);
    launcher.once("close", () => reject(new Error(output.trim())));
  });
}

function pidOf({ processes, infrastructure }: PlatformFile, name: string): number | null {
  const server = infrastructure[name as keyof typeof infrastructure];
  return (server ?? processes[name as ServiceName][0])?.pid ?? null;
}

/** Uses that commit's command, because this commit's may write columns that the other's schema lacks. */
async function createTenant(root: string, env: NodeJS.ProcessEnv, slug: string) {
  const [command, args] = scriptOf(root, "ops");
  const create = `tenant create --slug ${slug} --name ${slug} --owner-email owner@${slug}.example --modules crm,content --json`;
  const ran = await promisify(execFile)(command, [...args, ...create.split(" ")], { cwd: root, env });
  return JSON.parse(ran.stdout) as { tenantId: string; owner: { email: string; password: string } };
}

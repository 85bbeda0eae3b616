// Installs the packed client into an empty project outside the repository with npm, as a new user does. The registry is on this
// machine and serves the packages of the repository's node_modules.
import { execFile } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, realpathSync, writeFileSync } from "node:fs";
import http, { type IncomingMessage, type ServerResponse } from "node:http";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { ROOT } from "@tradepost/devstack";
import { listenLocally } from "@tradepost/testing";

const run = promisify(execFile);
const CLIENT = path.join(ROOT, "packages/client");

/**
 * Installs the tarball at a URL, and the types of Node for programs that are compiled. Resolves with the folders of the new project,
 * and of the client in it.
 */
export async function installClient(source: string) {
  const project = mkdtempSync(path.join(tmpdir(), "tradepost-project-"));
  writeFileSync(path.join(project, "package.json"), '{ "type": "module" }');
  const registry = await listenLocally(http.createServer(respond));
  try {
    const args = ["install", source, "@types/node", `--registry=${registry.url}`, "--no-audit", "--no-fund"];
    await run("npm", [...args, `--cache=${path.join(project, ".npm")}`], { cwd: project });
  } finally {
    await registry.stop();
  }
  return { project, client: path.join(project, "node_modules/@tradepost/client") };
}

/** Serves the registry: `/name` describes a package, `/-/name` is its tarball. */
function respond(req: IncomingMessage, res: ServerResponse): void {
  const [, isTarball, name = ""] = /^\/(-\/)?(.+)$/.exec(decodeURIComponent(req.url ?? "")) ?? [];
  const folder = folders.get(name);
  if (folder === undefined) {
    res.writeHead(404).end();
  } else if (isTarball) {
    execFile(
      "tar",
      ["-czf", "-", "--dereference", "--transform=s,^[.],package,", "-C", folder, "."],
      BYTES,
      (error, bytes) => res.writeHead(error ? 500 : 200).end(bytes),
    );
  } else {
    const manifest = manifestOf(folder);
    const tarball = `http://${req.headers.host}/-/${encodeURIComponent(name)}`;
    const versions = { [manifest.version]: { ...manifest, dist: { tarball } } };
    res.end(JSON.stringify({ name, "dist-tags": { latest: manifest.version }, versions }));
  }
}

const BYTES = { encoding: "buffer", maxBuffer: 64 << 20 } as const;

/** The folders of the client's direct and indirect dependencies and of Node's types, by name. */
const folders = new Map<string, string>();
for (const name of Object.keys(manifestOf(CLIENT).dependencies ?? {})) add(name, CLIENT);
add("@types/node", ROOT);

function add(name: string, from: string): void {
  const folder = folderOf(name, from);
  if (folder === undefined || folders.has(name)) return;
  folders.set(name, folder);
  for (const dependency of Object.keys(manifestOf(folder).dependencies ?? {})) add(dependency, folder);
}

/** Returns the folder in which Node finds a package. pnpm puts a package's dependencies next to it. */
function folderOf(name: string, from: string): string | undefined {
  for (let folder = from; folder !== path.dirname(folder); folder = path.dirname(folder)) {
    const candidate = path.join(folder, "node_modules", name);
    if (existsSync(candidate)) return realpathSync(candidate);
  }
  return undefined;
}

function manifestOf(folder: string): { version: string; dependencies?: Record<string, string> } {
  return JSON.parse(readFileSync(path.join(folder, "package.json"), "utf8"));
}

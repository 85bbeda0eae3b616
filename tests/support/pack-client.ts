// Builds and packs packages/client as it would be published, and installs the tarball into an empty project.
import { execFile } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, symlinkSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);
const ROOT = path.resolve(import.meta.dirname, "../..");
const PACKAGE = path.join(ROOT, "packages/client");

/** Returns the path of the tarball. */
export async function packClient(): Promise<string> {
  const directory = mkdtempSync(path.join(tmpdir(), "tradepost-client-"));
  for (const name of ["package.json", "README.md", "src"]) {
    cpSync(path.join(PACKAGE, name), path.join(directory, name), { recursive: true });
  }
  const tsc = path.join(ROOT, "node_modules/.bin/tsc");
  await run(tsc, ["-p", path.join(PACKAGE, "tsconfig.build.json"), "--outDir", path.join(directory, "dist")]);
  const { stdout } = await run("npm", ["pack", "--offline", "--ignore-scripts"], { cwd: directory });
  return path.join(directory, stdout.trim().split("\n").at(-1) ?? "");
}

/** An empty project with the tarball, its dependencies and a compiler in node_modules, without a registry. */
export async function installClient(tarball: string): Promise<string> {
  const project = mkdtempSync(path.join(tmpdir(), "tradepost-project-"));
  const modules = path.join(project, "node_modules");
  const target = path.join(modules, "@tradepost/client");
  mkdirSync(target, { recursive: true });
  await run("tar", ["-xzf", tarball, "-C", target, "--strip-components=1"]);
  const { dependencies } = JSON.parse(readFileSync(path.join(target, "package.json"), "utf8")) as {
    dependencies: Record<string, string>;
  };
  for (const name of Object.keys(dependencies)) link(modules, name, path.join(PACKAGE, "node_modules", name));
  mkdirSync(path.join(modules, "@types"));
  link(modules, "@types/node", path.join(ROOT, "node_modules/@types/node"));
  return project;
}

function link(modules: string, name: string, target: string): void {
  symlinkSync(realpathSync(target), path.join(modules, name));
}

/** The path of a program that a devDependency of the tests brings. */
export function programOf(packageName: string, file: string): string {
  const manifest = createRequire(import.meta.url).resolve(`${packageName}/package.json`);
  return path.join(path.dirname(manifest), file);
}

// Finds the files of the repository that the gateway serves as its documentation: the pages in docs/, and what they link to, directly or
// from linked pages. A folder stands for its README. No other file is served, whatever lies next to them. Imports no package, because
// the Dockerfile runs it without any.
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import path from "node:path";

/** Returns paths relative to `root`; `missing` are paths that a page links to and that do not exist. */
export function findDocuments(root: string): { files: string[]; missing: string[] } {
  const [files, missing] = [new Set<string>(), new Set<string>()];
  const add = (name: string) => {
    if (files.has(name)) return;
    if (name.startsWith("..") || !existsSync(path.join(root, name))) return void missing.add(name);
    if (statSync(path.join(root, name)).isDirectory()) {
      if (existsSync(path.join(root, name, "README.md"))) add(`${name}/README.md`);
      return;
    }
    files.add(name);
    if (name.endsWith(".md") || name === LIST) linksOf(root, name).forEach(add);
  };
  add(LIST);
  for (const name of readdirSync(path.join(root, "docs"), { recursive: true, encoding: "utf8" }))
    if (name.endsWith(".md")) add(`docs/${name}`);
  return { files: [...files].sort(), missing: [...missing] };
}

export const LIST = "docs/llms.txt";

/** Links to the web and within the page are left out. */
function linksOf(root: string, page: string): string[] {
  const text = readFileSync(path.join(root, page), "utf8").replaceAll(CODE, "");
  return [...text.matchAll(/\]\(([^)\s#]+)[^)\s]*\)/g)]
    .map(([, target = ""]) => target)
    .filter((target) => !/^[a-z]+:/.test(target))
    .map((target) =>
      target.startsWith("/") ? target.slice(1) : path.posix.join(path.posix.dirname(page), target),
    )
    .map((target) => target.replace(/\/$/, ""));
}

const CODE = /^```[\s\S]*?^```|`[^`\n]*`/gm;

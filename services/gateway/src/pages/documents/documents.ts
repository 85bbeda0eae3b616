// The documentation for programs that read Markdown: /llms.txt lists its pages, which are under /docs/….md. A file that they link to has
// its path in the repository, so that links work (interface §11). No path of a request reaches the file system.
import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { fileURLToPath } from "node:url";
import {
  type ApiResponse,
  type RequestContext,
  type StaticFile,
  servePage,
  staticFile,
} from "@tradepost/http";

/** Resolves with null if the request is for no document. Nothing is read before the first request. */
export type Documents = (context: RequestContext) => Promise<ApiResponse | null>;

export function documents(): Documents {
  let index: Promise<ReadonlyMap<string, StaticFile>> | undefined;
  return async ({ req }) => {
    index ??= readIndex();
    const requested = (req.url ?? "").split("?", 1)[0]?.replace(/(?<=.)\/$/, "") ?? "";
    const file = (await index).get(requested);
    return file === undefined ? null : await servePage({ path: requested, find: () => file }, req, {});
  };
}

async function readIndex(): Promise<ReadonlyMap<string, StaticFile>> {
  const here = (relative: string) => fileURLToPath(new URL(relative, import.meta.url));
  const isBuilt = import.meta.url.endsWith(".js");
  const root = here(isBuilt ? "../../documents/" : "../../../../../");
  const { findDocuments, LIST } = await import("./find-documents.ts");
  const names = isBuilt ? await filesIn(root) : findDocuments(root).files;
  return new Map([
    ...[...foldersOf(names)].map(([folder, members]) => [`/${folder}`, listOf(folder, members)] as const),
    ...names.map((name) => [`/${name}`, fileOf(root, name)] as const),
    ["/llms.txt", fileOf(root, LIST)] as const,
  ]);
}

async function filesIn(root: string): Promise<string[]> {
  const entries = await readdir(root, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => path.relative(root, path.join(parentPath, name)));
}

// Nothing in a document may run, whatever it contains.
const HEADERS = { "cache-control": "no-cache", "content-security-policy": "default-src 'none'; sandbox" };
const CONTENT_TYPES: Readonly<Record<string, string>> = {
  ".md": "text/markdown; charset=utf-8",
  ".json": "application/json; charset=utf-8",
  ".png": "image/png",
};

function fileOf(root: string, name: string): StaticFile {
  const headers = {
    ...HEADERS,
    "content-type": CONTENT_TYPES[path.extname(name)] ?? "text/plain; charset=utf-8",
  };
  let file: Promise<StaticFile> | undefined;
  return async () => {
    file ??= readFile(path.join(root, name)).then((bytes) => staticFile(bytes, headers));
    return await (await file)();
  };
}

/** Pages link to folders too. */
function foldersOf(names: readonly string[]): Map<string, string[]> {
  const folders = new Map<string, string[]>();
  for (const name of names) {
    for (let folder = path.dirname(name); folder !== "."; folder = path.dirname(folder))
      folders.set(folder, [...(folders.get(folder) ?? []), name]);
  }
  return folders;
}

function listOf(folder: string, members: readonly string[]): StaticFile {
  const lines = members.map((name) => `- [${path.relative(folder, name)}](/${name})`);
  const text = `# ${folder}\n\n${lines.join("\n")}\n`;
  return staticFile(Buffer.from(text), { ...HEADERS, "content-type": "text/markdown; charset=utf-8" });
}

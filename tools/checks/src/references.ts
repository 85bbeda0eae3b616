// Finds broken references: links, file names and commands in Markdown, sections of docs/interface.md in comments, and documents
// that are not in the repository.
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import path from "node:path";

/** The files of the repository with their text, by path from the root. */
export type Files = ReadonlyMap<string, string>;

/** Reads every Markdown, TypeScript and SQL file that git tracks or would track, and the names of all other files. */
export function readFiles(root: string): Files {
  const listed = execFileSync("git", ["ls-files", "-z", "--cached", "--others", "--exclude-standard"], {
    cwd: root,
    encoding: "utf8",
  });
  const names = listed.split("\0").filter(Boolean);
  return new Map(names.map((name) => [name, isRead(name) ? textOf(path.join(root, name)) : ""]));
}

function isRead(name: string): boolean {
  return /\.(md|tsx?|sql)$|^package\.json$/.test(name);
}

/** Empty if it was deleted but is still in git's index. */
function textOf(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}

/** Returns one line for each broken reference: `docs/security.md: no file "place-order.test.ts"`. */
export function findBrokenReferences(files: Files): string[] {
  const pages = [...files].filter(([name]) => name.endsWith(".md"));
  return [
    ...pages.flatMap(([name, text]) => brokenLinks(files, name, text)),
    ...pages.flatMap(([name, text]) => brokenFileNames(files, name, text)),
    ...pages.flatMap(([name, text]) => brokenCommands(files, name, text)),
    ...brokenIdentifiers(files, pages),
    ...pages.flatMap(([name, text]) => functionsNotInFile(files, name, text)),
    ...[...files].flatMap(([name, text]) => brokenSections(files, name, text)),
    ...[...files].flatMap(([name, text]) => foreignDocuments(name, text)),
  ];
}

function brokenLinks(files: Files, page: string, text: string): string[] {
  const targets = [...withoutCode(text).matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = ""]) => target);
  return targets
    .filter((target) => !/^[a-z]+:/.test(target))
    .filter((target) => !leadsSomewhere(files, page, target))
    .map((target) => `${page}: the link to ${target} leads nowhere`);
}

function leadsSomewhere(files: Files, page: string, target: string): boolean {
  const [file = "", anchor] = target.split("#", 2);
  const linked = file === "" ? page : path.posix.join(path.posix.dirname(page), file);
  if (!exists(files, linked)) return false;
  return anchor === undefined || anchorsOf(files.get(linked) ?? "").has(anchor);
}

/** Returns the anchors that GitHub gives to headings. */
function anchorsOf(text: string): Set<string> {
  const headings = [...withoutCode(text).matchAll(/^#+ (.+)$/gm)].map(([, heading = ""]) => heading);
  return new Set(
    headings.map((heading) =>
      heading
        .toLowerCase()
        .replace(/[^\p{L}\p{N}\s_-]/gu, "")
        .replaceAll(" ", "-"),
    ),
  );
}

function withoutCode(text: string): string {
  return text.replace(/^```[\s\S]*?^```$/gm, "");
}

function codeSpansIn(text: string): string[] {
  return [...new Set([...withoutCode(text).matchAll(/`([^`\n]+)`/g)].map(([, span = ""]) => span))];
}

// In docs/how-to, a file that is yet to be written has a name in angle brackets. Such names are not checked.
const FILE_NAME = /^[\w.*/-]+\.(ts|sql|mjs|cjs|sh)$/;
const REPOSITORY_PATH = /^(deploy|docs|packages|services|tests|tools)\/[\w.*/-]+$/;

/**
 * Returns the file names that match no file. A name may be a path from the root or from the page, or only the end of a path; `*`
 * stands for any text.
 */
function brokenFileNames(files: Files, page: string, text: string): string[] {
  const directory = path.posix.dirname(page);
  return codeSpansIn(text)
    .filter((name) => FILE_NAME.test(name) || REPOSITORY_PATH.test(name))
    .filter((name) => !exists(files, name) && !exists(files, path.posix.join(directory, name)))
    .filter((name) => REPOSITORY_PATH.test(name) || !isEndOfOne(files, name))
    .map((name) => `${page}: there is no file ${name}`);
}

function isEndOfOne(files: Files, name: string): boolean {
  const pattern = new RegExp(`(^|/)${patternOf(name)}$`);
  return [...files.keys()].some((file) => pattern.test(file));
}

function exists(files: Files, name: string): boolean {
  const normal = path.posix.normalize(name).replace(/\/$/, "");
  if (normal === "." || files.has(normal)) return true;
  const pattern = new RegExp(`^${patternOf(normal)}(/|$)`);
  return [...files.keys()].some((file) => pattern.test(file));
}

function patternOf(name: string): string {
  return name.replaceAll(/[.+?^${}()|[\]\\]/g, "\\$&").replaceAll("*", "[^/]*");
}

function brokenCommands(files: Files, page: string, text: string): string[] {
  const { scripts } = JSON.parse(files.get("package.json") || '{"scripts":{}}') as { scripts: object };
  const used = new Set([...text.matchAll(/npm run ([a-z:-]+)/g)].map(([, script = ""]) => script));
  return [...used]
    .filter((script) => !(script in scripts))
    .map((script) => `${page}: package.json has no script ${script}`);
}

// Matches names that only code uses: `batchMax` or `onCommit()`, but not `batch`.
const IDENTIFIER = /^[a-z]+[A-Z]\w*$/;
// Its entries may contain names that have changed since.
const CHANGELOG = "CHANGELOG.md";

/** Returns the names that no TypeScript file contains as a function, a field or a value. */
function brokenIdentifiers(files: Files, pages: readonly (readonly [string, string])[]): string[] {
  const code = [...files].flatMap(([name, text]) => (/\.tsx?$/.test(name) ? [text] : []));
  const known = new Set(code.join("\n").match(/[a-z]+[A-Z]\w*/g));
  return pages
    .filter(([page]) => page !== CHANGELOG)
    .flatMap(([page, text]) =>
      codeSpansIn(text)
        .map((span) => span.replace(/\(.*\)$/, ""))
        .filter((name) => IDENTIFIER.test(name) && !known.has(name))
        .map((name) => `${page}: no TypeScript file names ${name}`),
    );
}

// A link to a file, and the function to read there: "[settle.ts](…/settle.ts), `settle`".
const FUNCTION_OF_FILE = /\]\(([^)\s]+\.tsx?)\)[,:]\s+`([A-Za-z]\w*)`/g;

/** Returns the functions that a page names after a link to a file, but that the file does not declare. */
function functionsNotInFile(files: Files, page: string, text: string): string[] {
  return [...withoutCode(text).matchAll(FUNCTION_OF_FILE)]
    .map(([, target = "", name = ""]) => ({ file: path.posix.join(path.posix.dirname(page), target), name }))
    .filter(
      ({ file, name }) => !new RegExp(`\\b(function|const|class) ${name}\\b`).test(files.get(file) ?? ""),
    )
    .map(({ file, name }) => `${page}: ${file} declares no ${name}`);
}

const INTERFACE = "docs/interface.md";
// Documents that have sections. Only the first is a page of this repository.
const SECTIONED = new Set(["interface", "contract", "specification", "design"]);

function brokenSections(files: Files, name: string, text: string): string[] {
  const page = files.get(INTERFACE) ?? "";
  const sections = new Set([...page.matchAll(/^## §(\d+) /gm)].map(([, number]) => number));
  const named = [...text.matchAll(/\b(\w+) §(\d+)/g)].filter(([, document = ""]) => SECTIONED.has(document));
  return named
    .filter(([, document, number]) => document !== "interface" || !sections.has(number))
    .map(([reference]) => `${name}: ${INTERFACE} has no section for "${reference}"`);
}

const FOREIGN_DOCUMENT = /\b(the specification\b|design, ")/i;

function foreignDocuments(name: string, text: string): string[] {
  if (name.startsWith("tools/checks/")) return [];
  const found = FOREIGN_DOCUMENT.exec(text)?.[0];
  return found === undefined
    ? []
    : [`${name}: "${found}" names a document that is not in the repository; cite "interface §n"`];
}

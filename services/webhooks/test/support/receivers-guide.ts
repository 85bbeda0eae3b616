// Reads docs/receiving-webhooks.md, and the programs of docs/receivers to which it links.
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";

const DOCS = path.resolve(import.meta.dirname, "../../../../docs");
const PROGRAMS = path.join(DOCS, "receivers");

/** The only block under that heading whose code matches. */
export function codeUnder(heading: string, pattern: RegExp): string {
  const found = codeBlocks().filter((block) => block.heading === heading && pattern.test(block.code));
  const [block] = found;
  if (block === undefined || found.length > 1) {
    throw new Error(`the guide has ${found.length} such blocks under "${heading}", not one`);
  }
  return block.code;
}

/** Every fenced block in order, with the nearest heading above it. */
function codeBlocks() {
  const blocks: { heading: string; code: string }[] = [];
  let heading = "";
  for (const [, title, code] of guide().matchAll(/^#+ (.+)$|^```\w+\n([\s\S]*?)^```$/gm)) {
    if (title !== undefined && code === undefined) heading = title;
    if (code !== undefined) blocks.push({ heading, code });
  }
  return blocks;
}

/** The first group of the pattern in each link under that heading that matches it. */
export function linksUnder(heading: string, pattern: RegExp): string[] {
  const section =
    guide()
      .split(/^#+ /m)
      .find((text) => text.startsWith(`${heading}\n`)) ?? "";
  const targets = [...section.matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = ""]) => target);
  return targets.flatMap((target) => pattern.exec(target)?.[1] ?? []);
}

function guide(): string {
  return readFileSync(path.join(DOCS, "receiving-webhooks.md"), "utf8");
}

/** The programs, by their files. */
export function receiverPrograms() {
  return readdirSync(PROGRAMS).map((file) => ({
    file,
    code: readFileSync(path.join(PROGRAMS, file), "utf8"),
  }));
}

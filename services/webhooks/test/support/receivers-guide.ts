// Reads the code blocks of docs/receiving-webhooks.md with their headings.
import { readFileSync } from "node:fs";
import path from "node:path";

const GUIDE = path.resolve(import.meta.dirname, "../../../../docs/receiving-webhooks.md");

export interface CodeBlock {
  readonly heading: string;
  readonly language: string;
  readonly code: string;
}

/** Every fenced block in order, with the nearest heading above it. */
export function codeBlocks(): CodeBlock[] {
  const blocks: CodeBlock[] = [];
  let heading = "";
  const text = readFileSync(GUIDE, "utf8");
  for (const [, title, language, code] of text.matchAll(/^#+ (.+)$|^```(\w+)\n([\s\S]*?)^```$/gm)) {
    if (title !== undefined && code === undefined) heading = title;
    if (language !== undefined && code !== undefined) blocks.push({ heading, language, code });
  }
  return blocks;
}

/** The only block under that heading whose code matches. */
export function codeUnder(heading: string, pattern: RegExp): string {
  const found = codeBlocks().filter((block) => block.heading === heading && pattern.test(block.code));
  const [block] = found;
  if (block === undefined || found.length > 1) {
    throw new Error(`the guide has ${found.length} such blocks under "${heading}", not one`);
  }
  return block.code;
}

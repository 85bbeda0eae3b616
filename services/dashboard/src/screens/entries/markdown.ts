// Reads a small, usual part of Markdown, for a preview: paragraphs, headings, lists, quotes, code, rules, emphasis and links. The
// rest stays text, so that nothing is lost, and HTML has no effect. Pure.

/** A text, or an HTML element, which has no parts if HTML allows none. */
export type Part =
  | string
  | { readonly tag: string; readonly parts: readonly Part[] | undefined; readonly attributes: object };

// Each line is matched in linear time: nothing that may repeat is followed by something that may fail.
const HEADING = /^ {0,3}(#{1,6}) +(.+)/s;
const BULLET = /^ {0,3}[-*+] +(.*)/s;
const NUMBER = /^ {0,3}\d{1,9}[.)] +(.*)/s;
const QUOTE = /^ {0,3}> ?(.*)/s;
const RULE = /^ {0,3}(?:(?:- *){3,}|(?:\* *){3,}|(?:_ *){3,})$/;
const FENCE = /^ {0,3}(?:```|~~~)/;
const STARTS = [HEADING, BULLET, NUMBER, QUOTE, RULE, FENCE];

export function blocksOf(markdown: string): Part[] {
  const lines = markdown.split(/\r?\n/);
  const blocks: Part[] = [];
  let at = 0;
  while (at < lines.length) {
    const { block, end } = blockAt(lines, at);
    if (block !== undefined) blocks.push(block);
    at = end;
  }
  return blocks;
}

function element(tag: string, parts?: readonly Part[], attributes = {}): Part {
  return { tag, parts, attributes };
}

interface Found {
  readonly block?: Part;
  readonly end: number;
}

function blockAt(lines: readonly string[], at: number): Found {
  const line = lines[at] ?? "";
  if (line.trim() === "") return { end: at + 1 };
  if (FENCE.test(line)) return codeAt(lines, at);
  if (RULE.test(line)) return { block: element("hr"), end: at + 1 };
  const [, marks = "", title] = HEADING.exec(line) ?? [];
  if (title !== undefined) {
    // The screen has its own headings, so this is not a heading for a screen reader.
    const level = { className: "markdown-heading", "data-level": marks.length };
    return { block: element("p", inlinesOf(withoutMarks(title)), level), end: at + 1 };
  }
  for (const [tag, pattern] of [
    ["ul", BULLET],
    ["ol", NUMBER],
  ] as const) {
    const texts = linesFrom(lines, at, (text) => (RULE.test(text) ? undefined : pattern.exec(text)?.[1]));
    const items = texts.map((text) => element("li", inlinesOf(text)));
    if (items.length > 0) return { block: element(tag, items), end: at + items.length };
  }
  const quoted = linesFrom(lines, at, (text) => QUOTE.exec(text)?.[1]);
  if (quoted.length > 0)
    return { block: element("blockquote", inlinesOf(quoted.join("\n"))), end: at + quoted.length };
  const texts = [line, ...linesFrom(lines, at + 1, (text) => (isText(text) ? text : undefined))];
  return { block: element("p", inlinesOf(texts.join("\n"))), end: at + texts.length };
}

/** Removes the `#` that may close a heading after a blank. */
function withoutMarks(title: string): string {
  const text = title.trimEnd();
  let end = text.length;
  while (text[end - 1] === "#") end -= 1;
  return text[end - 1] === " " ? text.slice(0, end).trimEnd() : text;
}

/** Code goes on to the next fence, or to the end. */
function codeAt(lines: readonly string[], at: number): Found {
  let end = at + 1;
  while (end < lines.length && !FENCE.test(lines[end] ?? "")) end += 1;
  const code = element("code", [lines.slice(at + 1, end).join("\n")]);
  return { block: element("pre", [code]), end: end + 1 };
}

/** Returns the texts of the lines from `at` on, up to the first for which `textOf` returns undefined. */
function linesFrom(lines: readonly string[], at: number, textOf: (line: string) => string | undefined) {
  const texts: string[] = [];
  for (let next = at; next < lines.length; next += 1) {
    const text = textOf(lines[next] ?? "");
    if (text === undefined) break;
    texts.push(text);
  }
  return texts;
}

function isText(line: string): boolean {
  return line.trim() !== "" && !STARTS.some((start) => start.test(line));
}

const INLINE =
  /`(?<code>[^`\n]+)`|\*\*(?<strong>[^*\n]+)\*\*|(?<!\w)(?<mark>[*_])(?<emphasis>[^*_\n]+)\k<mark>(?!\w)|!?\[(?<label>[^\][\n]*)\]\((?<target>[^\s()]+)\)/g;

function inlinesOf(text: string): Part[] {
  const parts: Part[] = [];
  let end = 0;
  for (const match of text.matchAll(INLINE)) {
    parts.push(text.slice(end, match.index), inlineOf(match));
    end = match.index + match[0].length;
  }
  return [...parts, text.slice(end)];
}

function inlineOf({ 0: whole, groups = {} }: RegExpExecArray): Part {
  const { code, strong, emphasis, label, target = "" } = groups;
  if (code !== undefined) return element("code", [code]);
  if (strong !== undefined) return element("strong", [strong]);
  if (emphasis !== undefined) return element("em", [emphasis]);
  // A link may lead to a page or a mailbox, but must not run a script.
  if (!/^(https?:\/\/|mailto:|\/(?!\/)|#)/i.test(target)) return whole;
  const link = { href: target, target: "_blank", rel: "noopener noreferrer" };
  return element("a", [label || target], link);
}

// Reads a small, usual part of Markdown, for a preview: paragraphs, headings, lists, quotes, code, rules, emphasis and links. What
// it does not know stays text, so that nothing is lost, and HTML has no effect. Pure.

export type Inline =
  | { readonly kind: "text" | "strong" | "emphasis" | "code"; readonly text: string }
  | { readonly kind: "link"; readonly text: string; readonly href: string };

export type Block =
  | { readonly kind: "heading"; readonly level: number; readonly parts: readonly Inline[] }
  | { readonly kind: "paragraph" | "quote"; readonly parts: readonly Inline[] }
  | { readonly kind: "list"; readonly isOrdered: boolean; readonly items: readonly (readonly Inline[])[] }
  | { readonly kind: "code"; readonly text: string }
  | { readonly kind: "rule" };

// Each line is matched in linear time: nothing that may repeat is followed by something that may fail.
const HEADING = /^ {0,3}(#{1,6}) +(.+)/s;
const BULLET = /^ {0,3}[-*+] +(.*)/s;
const NUMBER = /^ {0,3}\d{1,9}[.)] +(.*)/s;
const QUOTE = /^ {0,3}> ?(.*)/s;
const RULE = /^ {0,3}(?:(?:- *){3,}|(?:\* *){3,}|(?:_ *){3,})$/;
const FENCE = /^ {0,3}(?:```|~~~)/;
const STARTS = [HEADING, BULLET, NUMBER, QUOTE, RULE, FENCE];

export function blocksOf(markdown: string): Block[] {
  const lines = markdown.split(/\r?\n/);
  const blocks: Block[] = [];
  let at = 0;
  while (at < lines.length) {
    const { block, end } = blockAt(lines, at);
    if (block !== undefined) blocks.push(block);
    at = end;
  }
  return blocks;
}

interface Found {
  readonly block?: Block;
  readonly end: number;
}

function blockAt(lines: readonly string[], at: number): Found {
  const line = lines[at] ?? "";
  if (line.trim() === "") return { end: at + 1 };
  if (FENCE.test(line)) return codeAt(lines, at);
  if (RULE.test(line)) return { block: { kind: "rule" }, end: at + 1 };
  const [, marks = "", title] = HEADING.exec(line) ?? [];
  if (title !== undefined)
    return {
      block: { kind: "heading", level: marks.length, parts: inlinesOf(withoutMarks(title)) },
      end: at + 1,
    };
  for (const pattern of [BULLET, NUMBER]) {
    const items = linesFrom(lines, at, (text) => (RULE.test(text) ? undefined : pattern.exec(text)?.[1]));
    const list = { kind: "list", isOrdered: pattern === NUMBER, items: items.map(inlinesOf) } as const;
    if (items.length > 0) return { block: list, end: at + items.length };
  }
  const quoted = linesFrom(lines, at, (text) => QUOTE.exec(text)?.[1]);
  if (quoted.length > 0)
    return { block: { kind: "quote", parts: inlinesOf(quoted.join("\n")) }, end: at + quoted.length };
  const texts = [line, ...linesFrom(lines, at + 1, (text) => (isText(text) ? text : undefined))];
  return { block: { kind: "paragraph", parts: inlinesOf(texts.join("\n")) }, end: at + texts.length };
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
  return { block: { kind: "code", text: lines.slice(at + 1, end).join("\n") }, end: end + 1 };
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

export function inlinesOf(text: string): Inline[] {
  const parts: Inline[] = [];
  let end = 0;
  for (const match of text.matchAll(INLINE)) {
    if (match.index > end) parts.push({ kind: "text", text: text.slice(end, match.index) });
    parts.push(inlineOf(match[0], match.groups ?? {}));
    end = match.index + match[0].length;
  }
  return end === text.length ? parts : [...parts, { kind: "text", text: text.slice(end) }];
}

type Groups = Readonly<Record<string, string | undefined>>;

function inlineOf(whole: string, { code, strong, emphasis, label, target = "" }: Groups): Inline {
  if (code !== undefined) return { kind: "code", text: code };
  if (strong !== undefined) return { kind: "strong", text: strong };
  if (emphasis !== undefined) return { kind: "emphasis", text: emphasis };
  // A link may lead to a page or a mailbox, and run nothing.
  if (!/^(https?:\/\/|mailto:|\/(?!\/)|#)/i.test(target)) return { kind: "text", text: whole };
  return { kind: "link", text: label || target, href: target };
}

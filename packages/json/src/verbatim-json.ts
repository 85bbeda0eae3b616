// JSON that is passed on as the text in which it was received: spaces, `2.50`, `-0`, the order of names, `\u0000`. A JavaScript
// value keeps none of these. Pure, except that `keepTexts` remembers texts while their values live.
import { randomBytes } from "node:crypto";
import { endOfString } from "./json-depth.ts";

/** `writeJson` writes the text unchanged, `JSON.stringify` an equal value. */
export class VerbatimJson {
  readonly text: string;

  /** `text` must be valid JSON. */
  constructor(text: string) {
    this.text = text;
  }

  toJSON(): unknown {
    if (collected === null) return JSON.parse(this.text);
    collected.push(this.text);
    return `${MARK}${collected.length - 1}`;
  }
}

// Set by `writeJson` while `JSON.stringify` runs, which is synchronous. Each text is written as a mark, which is replaced
// afterwards. No caller can guess a mark, because it never leaves this process.
let collected: string[] | null = null;
const MARK = `verbatim ${randomBytes(16).toString("hex")} `;
const MARKS = new RegExp(`"${MARK}(\\d+)"`, "g");

/** Like `JSON.stringify`, but for an object or a list that may contain `VerbatimJson`. */
export function writeJson(value: unknown): string {
  const texts: string[] = [];
  collected = texts;
  try {
    const written = JSON.stringify(value);
    if (texts.length === 0) return written;
    // The replacement is a function, because `$&` has a meaning in a replacement text.
    return written.replace(MARKS, (_mark, index: string) => texts[Number(index)] ?? "");
  } finally {
    collected = null;
  }
}

/** Members with these names, and such members in the elements of one list. */
export interface KeptMembers {
  readonly names: readonly string[];
  readonly ofList?: string;
}

const keptTexts = new WeakMap<object, string>();

/** Undefined for an object that `keepTexts` has not seen. */
export function keptTextOf(value: unknown): string | undefined {
  return typeof value === "object" && value !== null ? keptTexts.get(value) : undefined;
}

/** Returns the object as JSON text; if its text was kept, exactly as received (interface §1). */
export function verbatim(value: object): VerbatimJson {
  return new VerbatimJson(keptTextOf(value) ?? JSON.stringify(value));
}

/**
 * Remembers the texts of the selected objects in `json`, which `parseJson` returned for `text`. Its time is proportional to the
 * length of the text.
 */
export function keepTexts(text: string, json: unknown, { names, ofList }: KeptMembers): void {
  if (!names.some((name) => text.includes(`"${name}"`))) return;
  for (const [name, member] of memberTexts(text)) {
    if (names.includes(name)) keep(json, name, member);
    else if (name === ofList) keepInList(member, memberOf(json, name), names);
  }
}

function keepInList(text: string, list: unknown, names: readonly string[]): void {
  if (!Array.isArray(list)) return;
  elementTexts(text).forEach((element, index) => {
    for (const [name, member] of memberTexts(element)) {
      if (names.includes(name)) keep(list[index], name, member);
    }
  });
}

function keep(parent: unknown, name: string, text: string): void {
  const value = memberOf(parent, name);
  if (typeof value === "object" && value !== null) keptTexts.set(value, text);
}

function memberOf(parent: unknown, name: string): unknown {
  return typeof parent === "object" && parent !== null && Object.hasOwn(parent, name)
    ? (parent as Record<string, unknown>)[name]
    : undefined;
}

/**
 * Returns the texts of an object's members by name. As in `JSON.parse`, the last member of a name counts. Empty for another
 * value.
 */
export function memberTexts(text: string): Map<string, string> {
  return new Map(membersOf(text));
}

/** In order, including repetitions. Empty for another value. */
export function memberNames(text: string): string[] {
  return Array.from(membersOf(text), ([name]) => name);
}

function* membersOf(text: string): Generator<[name: string, text: string]> {
  let at = afterSpace(text, 0);
  if (text[at] !== "{") return;
  at = afterSpace(text, at + 1);
  while (text[at] === '"') {
    const nameEnd = endOfString(text, at) + 1;
    const name = JSON.parse(text.slice(at, nameEnd)) as string;
    const start = afterSpace(text, afterSpace(text, nameEnd) + 1);
    const end = endOfValue(text, start);
    yield [name, text.slice(start, end)];
    at = afterSpace(text, end);
    if (text[at] === ",") at = afterSpace(text, at + 1);
  }
}

/** `text` must be a list. */
export function elementTexts(text: string): string[] {
  const elements: string[] = [];
  let at = afterSpace(text, 1);
  while (at < text.length && text[at] !== "]") {
    const end = endOfValue(text, at);
    elements.push(text.slice(at, end));
    at = afterSpace(text, end);
    if (text[at] === ",") at = afterSpace(text, at + 1);
  }
  return elements;
}

function afterSpace(text: string, from: number): number {
  let at = from;
  while (SPACES.has(text.charCodeAt(at))) at += 1;
  return at;
}

const SPACES = new Set([0x20, 0x09, 0x0a, 0x0d]);
const ENDS_OF_SCALAR = new Set([0x2c, 0x5d, 0x7d, ...SPACES]);
const QUOTE = 0x22;
const [LIST_OPENS, LIST_CLOSES, OBJECT_OPENS, OBJECT_CLOSES] = [0x5b, 0x5d, 0x7b, 0x7d];

function endOfValue(text: string, start: number): number {
  const first = text.charCodeAt(start);
  if (first === QUOTE) return endOfString(text, start) + 1;
  let at = start;
  if (first !== LIST_OPENS && first !== OBJECT_OPENS) {
    while (at < text.length && !ENDS_OF_SCALAR.has(text.charCodeAt(at))) at += 1;
    return at;
  }
  let depth = 0;
  for (; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) at = endOfString(text, at);
    else if (code === LIST_OPENS || code === OBJECT_OPENS) depth += 1;
    else if (code === LIST_CLOSES || code === OBJECT_CLOSES) {
      depth -= 1;
      if (depth === 0) return at + 1;
    }
  }
  return text.length;
}

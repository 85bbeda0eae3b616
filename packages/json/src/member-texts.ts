// Splits JSON texts into the texts of their members and elements, in one pass. The texts must be valid JSON. Pure.
import { endOfString, LIST_CLOSES, LIST_OPENS, OBJECT_CLOSES, OBJECT_OPENS, QUOTE } from "./json-depth.ts";

/** Returns the texts of an object's members by name; of repeated names the last one counts. Empty for another value. */
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

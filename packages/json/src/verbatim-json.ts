// JSON that is passed on as the text in which it was received: spaces, `2.50`, `-0`, the order of names, `\u0000`. A JavaScript
// value keeps none of these. Pure.
import { randomBytes } from "node:crypto";
import { memberTexts } from "./member-texts.ts";

/** An object or a list of a request body, with its text. A schema that validates the value hands the text on. */
export class ReceivedJson {
  readonly text: string;
  readonly value: object;

  constructor(text: string, value: object) {
    this.text = text;
    this.value = value;
  }
}

/** Replaces objects and lists among these members of `json`, parsed from `text`, by `ReceivedJson`, in linear time. */
export function keepTexts(text: string, json: unknown, names: readonly string[]): void {
  if (!isContainer(json)) return;
  const kept = names.filter((name) => Object.hasOwn(json, name) && isContainer(json[name]));
  if (kept.length === 0) return;
  const texts = memberTexts(text);
  for (const name of kept) json[name] = new ReceivedJson(texts.get(name) ?? "", json[name] as object);
}

/** `writeJson` writes the text unchanged, `JSON.stringify` an equal value. */
export class VerbatimJson {
  readonly text: string;

  /** `text` must be valid JSON. */
  constructor(text: string) {
    this.text = text;
  }

  toJSON(): unknown {
    return JSON.parse(this.text);
  }
}

// Stands in the JSON for a `VerbatimJson`. No caller can guess it, because it never leaves this process.
const MARK = `verbatim ${randomBytes(16).toString("hex")}`;

/** Like `JSON.stringify`, but for an object or a list that may contain `VerbatimJson`. */
export function writeJson(value: unknown): string {
  const texts: string[] = [];
  const written = JSON.stringify(marked(value, texts));
  if (texts.length === 0) return written;
  const [start = "", ...rest] = written.split(`"${MARK}"`);
  return rest.reduce((text, part, index) => text + texts[index] + part, start);
}

/** Returns the value with marks instead of `VerbatimJson`, and appends their texts. */
function marked(value: unknown, texts: string[]): unknown {
  if (!isContainer(value)) return value;
  if (value instanceof VerbatimJson) {
    texts.push(value.text);
    return MARK;
  }
  if (Array.isArray(value)) return markedList(value, texts);
  let copy = value;
  for (const name in value) {
    const member = marked(value[name], texts);
    if (member === value[name]) continue;
    if (copy === value) copy = { ...value };
    copy[name] = member;
  }
  return copy;
}

function markedList(list: readonly unknown[], texts: string[]): readonly unknown[] {
  const before = texts.length;
  const copy = list.map((element) => marked(element, texts));
  return texts.length === before ? list : copy;
}

function isContainer(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}

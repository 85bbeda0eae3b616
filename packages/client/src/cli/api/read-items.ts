// The items of `tradepost api`, in the notation of HTTPie: texts and JSON values of the body, parameters, headers. Pure.
import { UsageError } from "../usage-error.ts";

type Container = Record<string, unknown> | unknown[];

// The first separator counts, and of several at one place the longest.
const ITEM = /^(?<name>.*?)(?<separator>:=|==|=|:)(?<value>.*)$/s;

/** @throws a UsageError that names the item. */
export function readItems(items: readonly string[]) {
  const headers: Record<string, string> = {};
  const query: [string, string][] = [];
  const root: { body?: unknown } = {};
  for (const item of items) {
    const { name = "", separator, value = "" } = ITEM.exec(item)?.groups ?? {};
    if (separator === undefined || name === "")
      throw new UsageError(`${item}: must be name=value, name:=json, name==value or Name:value.`);
    if (separator === ":") headers[name.toLowerCase()] = value;
    else if (separator === "==") query.push([name, value]);
    else setAt(root, ["body", ...pathOf(name)], separator === "=" ? value : jsonOf(item, value), item);
  }
  const body = root.body as Container | undefined;
  return { headers, query, body, isList: Array.isArray(body) };
}

function jsonOf(item: string, value: string): unknown {
  try {
    return JSON.parse(value);
  } catch {
    throw new UsageError(`${item}: what follows := must be JSON.`);
  }
}

/** A number is a place in a list, and an empty pair of brackets the end of a list. */
type Step = string | number | null;

const STEP = /\[([^[\]]*)\]/g;

/** Splits `items[0][sku]`. A name that is not of this form is one step. */
function pathOf(name: string): Step[] {
  const match = /^([^[\]]*)((?:\[[^[\]]*\])*)$/.exec(name);
  const [, first = name, steps = ""] = match ?? [];
  const inBrackets = [...steps.matchAll(STEP)].map(([, step = ""]) => {
    if (step === "") return null;
    return /^\d{1,4}$/.test(step) ? Number(step) : step;
  });
  return first === "" ? inBrackets : [first, ...inBrackets];
}

function setAt(target: object, [step, ...rest]: readonly Step[], value: unknown, item: string): void {
  const isPlaceInList = typeof step !== "string";
  if (Array.isArray(target) !== isPlaceInList)
    throw new UsageError(`${item}: an earlier item makes this ${isPlaceInList ? "an object" : "a list"}.`);
  const place = (step === null ? (target as unknown[]).length : step) as keyof typeof target;
  const existing: unknown = Object.hasOwn(target, place) ? target[place] : undefined;
  if (rest.length === 0) {
    define(target, place, value);
    return;
  }
  const next = existing ?? (typeof rest[0] === "string" ? {} : []);
  if (typeof next !== "object") throw new UsageError(`${item}: an earlier item makes this a value.`);
  define(target, place, next);
  setAt(next, rest, value, item);
}

/** Unlike an assignment, this also defines a member `__proto__`. */
function define(target: object, place: PropertyKey, value: unknown): void {
  Object.defineProperty(target, place, { value, enumerable: true, configurable: true, writable: true });
}

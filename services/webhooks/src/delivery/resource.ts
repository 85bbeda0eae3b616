// Finds what an event is about: the entry, the media asset, the redirect or the order in its data. Pure.
import { isUuid } from "@tradepost/http";
import { searchTextOf, wordsOf } from "@tradepost/search";

type Data = Readonly<Record<string, unknown>>;

/** `id` is null if nothing in the data has a UUID as its `id`. */
export function resourceOf(data: Data): { id: string | null; version: number | null } {
  for (const value of Object.values(data)) {
    if (typeof value !== "object" || value === null || !("id" in value)) continue;
    const { id, version } = value as { id: unknown; version?: unknown };
    if (typeof id !== "string" || !isUuid(id.toLowerCase())) continue;
    return { id, version: Number.isInteger(version) ? (version as number) : null };
  }
  return { id: null, version: null };
}

export function resourceKindOf(type: string): string {
  return type.split(".").at(-2) ?? type;
}

const SUBJECT_CHARACTERS_MAX = 200;

/** Names the resource for a person: an entry's title or slug, a file's name, a redirect's decoded `from`, or an order's number. */
export function subjectOf({ entry, media, redirect, order }: Data): string | null {
  const of = (resource: unknown): Data =>
    typeof resource === "object" && resource ? (resource as Data) : {};
  const { title, name } = of(of(entry).data);
  const { from } = of(redirect);
  const path = typeof from === "string" ? decodedPath(from) : from;
  const found = [title, name, of(entry).slug, of(media).filename, path, of(order).orderNumber].find(
    (text) => typeof text === "string" && text.trim() !== "",
  );
  return found === undefined ? null : [...String(found)].slice(0, SUBJECT_CHARACTERS_MAX).join("");
}

/** Returns `path` unchanged if its octets are not UTF-8 or contain control characters. */
function decodedPath(path: string): string {
  try {
    const decoded = decodeURIComponent(path.replaceAll(/%(?![0-9a-f]{2})/gi, "%25"));
    return /\p{Cc}/u.test(decoded) ? path : decoded;
  } catch {
    return path;
  }
}

export function subjectWordsOf(subject: string | null): string | null {
  return subject === null ? null : searchTextOf(wordsOf([subject]));
}

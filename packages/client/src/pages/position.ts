// The position of an iteration: the platform's cursor of a page and, within that page, the id of the last item seen. Pure.
//
// To continue within a page, the client reads it again and skips the items up to the last one that was seen. If that has left the
// page, because it was deleted or newer items moved it, the client skips nothing: items may be seen twice, but none is lost.

export interface Position {
  /** The platform's cursor of the page; undefined for the first page. */
  readonly cursor: string | undefined;
  readonly lastId: string | undefined;
}

/** A character that no cursor of the platform contains, because they are base64url. */
const SEPARATOR = "~";

/** Parses a position of this client or a cursor of the platform. Undefined and null mean the start of the list. */
export function positionOf(text: string | null | undefined): Position {
  if (text === undefined || text === null) return { cursor: undefined, lastId: undefined };
  const at = text.lastIndexOf(SEPARATOR);
  if (at < 0) return { cursor: text, lastId: undefined };
  return { cursor: at === 0 ? undefined : text.slice(0, at), lastId: text.slice(at + 1) };
}

/**
 * Returns the text of a position, which `positionOf` parses; undefined for the start. Without an id, it is the start of the page.
 */
export function textOf({ cursor, lastId }: Position): string | undefined {
  return lastId === undefined ? cursor : `${cursor ?? ""}${SEPARATOR}${lastId}`;
}

/** Returns the items of the page after the last one seen. */
export function itemsAfter<Item>(items: readonly Item[], lastId: string | undefined): readonly Item[] {
  if (lastId === undefined) return items;
  return items.slice(items.findIndex((item) => idOf(item) === lastId) + 1);
}

/** Returns the id of an item, or undefined if it has none. */
export function idOf(item: unknown): string | undefined {
  const id = typeof item === "object" && item !== null && "id" in item ? item.id : undefined;
  return typeof id === "string" ? id : undefined;
}

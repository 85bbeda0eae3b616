// Where an iteration stands: the platform's cursor of a page and, in the middle of that page, the id of the last item. Pure.
//
// The platform's cursors stand between two pages. To continue within one, the page is read again and its items are left out up
// to that one. If it is no longer on the page, because it was deleted or newer ones have moved it away, nothing is left out:
// items may then be seen twice, and none is skipped.

export interface Position {
  /** The platform's cursor of the page, or undefined for the first page. */
  readonly cursor: string | undefined;
  readonly lastId: string | undefined;
}

/** Is in no cursor of the platform: these are base64url. */
const SEPARATOR = "~";

export function positionOf(text: string | null | undefined): Position {
  if (text === undefined || text === null) return { cursor: undefined, lastId: undefined };
  const at = text.lastIndexOf(SEPARATOR);
  if (at < 0) return { cursor: text, lastId: undefined };
  return { cursor: at === 0 ? undefined : text.slice(0, at), lastId: text.slice(at + 1) };
}

/** The text that `positionOf` reads, or undefined for the start. Without an id it is the start of the page. */
export function textOf({ cursor, lastId }: Position): string | undefined {
  return lastId === undefined ? cursor : `${cursor ?? ""}${SEPARATOR}${lastId}`;
}

/** The items of the page after the last one that was seen. */
export function itemsAfter<Item>(items: readonly Item[], lastId: string | undefined): readonly Item[] {
  if (lastId === undefined) return items;
  return items.slice(items.findIndex((item) => idOf(item) === lastId) + 1);
}

export function idOf(item: unknown): string | undefined {
  const id = typeof item === "object" && item !== null && "id" in item ? item.id : undefined;
  return typeof id === "string" ? id : undefined;
}

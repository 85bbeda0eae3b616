// How a response names a field of a request: `items[3].quantity`, as callers write it. Pure.

// A caller chooses the names in its JSON. Without a bound, 200 faults below a name of 1 MB would be a response of 200 MB.
const NAME_CHARACTERS_MAX = 128;
const PATH_CHARACTERS_MAX = 1_024;

/** In: the names and positions that lead to the field. Out: its path, long names and long paths cut short. */
export function fieldPath(parts: readonly PropertyKey[]): string {
  const path = parts.reduce<string>((written, part) => {
    if (typeof part === "number") return `${written}[${part}]`;
    const name = cut(String(part), NAME_CHARACTERS_MAX);
    return written === "" ? name : `${written}.${name}`;
  }, "");
  return shownPath(path);
}

/** In: a path that may hold a caller's own names. Out: the path, cut where it is too long to be shown. */
export function shownPath(path: string): string {
  return cut(path, PATH_CHARACTERS_MAX);
}

function cut(text: string, charactersMax: number): string {
  return text.length <= charactersMax ? text : `${text.slice(0, charactersMax)}…`;
}

// Writes the path of a request's field for a response: `items[3].quantity`.

// Callers choose the names in their JSON. Without this limit, 200 faults below a name of 1 MB would make a response of 200 MB.
const NAME_CHARACTERS_MAX = 128;
const PATH_CHARACTERS_MAX = 1_024;

/** Joins names and indices into a path. Long names and long paths are truncated. */
export function fieldPath(parts: readonly PropertyKey[]): string {
  const path = parts.reduce<string>((written, part) => {
    if (typeof part === "number") return `${written}[${part}]`;
    const name = truncate(String(part), NAME_CHARACTERS_MAX);
    return written === "" ? name : `${written}.${name}`;
  }, "");
  return shownPath(path);
}

/** Truncates a path that is too long for a response. */
export function shownPath(path: string): string {
  return truncate(path, PATH_CHARACTERS_MAX);
}

function truncate(text: string, charactersMax: number): string {
  return text.length <= charactersMax ? text : `${text.slice(0, charactersMax)}…`;
}

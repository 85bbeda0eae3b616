// Finds what is served at a path, in the same time for any number of patterns.

// No segment contains a slash.
const ANY = "/";

interface Place<Entry> {
  readonly bySegment: Map<string, Place<Entry>>;
  readonly entries: Entry[];
  readonly withRest: Entry[];
}

/**
 * Returns a function that finds the entries whose pattern matches a path, literal segments first. In a pattern, `:name` stands for
 * one segment, `*name` for all that follow. A slash at the end of the path makes no difference.
 */
export function pathIndex<Entry extends { readonly path: string }>(
  entries: readonly Entry[],
): (path: string) => readonly Entry[] {
  const root = newPlace<Entry>();
  for (const entry of entries) add(root, entry);
  return (path) => entriesAt(root, segmentsOf(path));
}

/** Returns the values of a pattern's names; null if one cannot be decoded. */
export function paramsIn(pattern: string, path: string): Readonly<Record<string, string>> | null {
  const segments = segmentsOf(path);
  const params: Record<string, string> = {};
  try {
    for (const [index, part] of segmentsOf(pattern).entries()) {
      const name = part.slice(1);
      if (part.startsWith(":")) params[name] = decodeURIComponent(segments[index] ?? "");
      if (part.startsWith("*")) params[name] = segments.slice(index).map(decodeURIComponent).join("/");
    }
    return params;
  } catch {
    return null;
  }
}

function newPlace<Entry>(): Place<Entry> {
  return { bySegment: new Map(), entries: [], withRest: [] };
}

function add<Entry extends { readonly path: string }>(root: Place<Entry>, entry: Entry): void {
  let place = root;
  for (const part of segmentsOf(entry.path)) {
    if (part.startsWith("*")) return void place.withRest.push(entry);
    const name = part.startsWith(":") ? ANY : part;
    const next = place.bySegment.get(name) ?? newPlace<Entry>();
    place.bySegment.set(name, next);
    place = next;
  }
  place.entries.push(entry);
}

function entriesAt<Entry>(place: Place<Entry>, [segment, ...rest]: readonly string[]): readonly Entry[] {
  if (segment === undefined) return [...place.entries, ...place.withRest];
  const named = place.bySegment.get(segment);
  const any = segment === "" ? undefined : place.bySegment.get(ANY);
  return [
    ...(named === undefined ? [] : entriesAt(named, rest)),
    ...(any === undefined ? [] : entriesAt(any, rest)),
    ...place.withRest,
  ];
}

function segmentsOf(path: string): string[] {
  return (path.endsWith("/") ? path.slice(0, -1) : path).split("/");
}

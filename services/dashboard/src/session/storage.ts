// What the browser stores: in `localStorage` for good, in `sessionStorage` for this tab. It may forbid both: reading and writing then
// throw.

type Kind = "localStorage" | "sessionStorage";

/** Returns null if nothing is stored, undefined if storage is forbidden. */
export function stored(name: string, kind: Kind = "localStorage"): string | null | undefined {
  try {
    return globalThis[kind].getItem(name);
  } catch {
    return undefined;
  }
}

/** Null removes the value. */
export function keep(name: string, value: string | null, kind: Kind = "localStorage"): void {
  try {
    if (value === null) globalThis[kind].removeItem(name);
    else globalThis[kind].setItem(name, value);
  } catch {
    // The value lasts as long as the page.
  }
}

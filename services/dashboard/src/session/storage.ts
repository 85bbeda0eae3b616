// The local storage of the browser, which may forbid it: reading and writing then throw.

/** Returns null if nothing is stored, undefined if storage is forbidden. */
export function stored(name: string): string | null | undefined {
  try {
    return localStorage.getItem(name);
  } catch {
    return undefined;
  }
}

/** Null removes the value. */
export function keep(name: string, value: string | null): void {
  try {
    if (value === null) localStorage.removeItem(name);
    else localStorage.setItem(name, value);
  } catch {
    // The value lasts as long as the page.
  }
}

// Divides rows that would be read at once into portions, so that a step of an erasure needs little memory. Pure.

const PORTION_BYTES_MAX = 8 * 1024 * 1024;

/** Returns portions of at most 8 MiB; a larger row is a portion of its own. */
export function portionsOf<Row extends { readonly bytes: number }>(rows: readonly Row[]): Row[][] {
  const portions: Row[][] = [];
  let bytes = 0;
  for (const row of rows) {
    const last = portions.at(-1);
    if (last === undefined || bytes + row.bytes > PORTION_BYTES_MAX) {
      portions.push([row]);
      bytes = row.bytes;
    } else {
      last.push(row);
      bytes += row.bytes;
    }
  }
  return portions;
}

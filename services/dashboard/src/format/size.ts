// Sizes of files as people read them. Pure.

const UNITS = ["B", "kB", "MB", "GB"];
const STEP = 1_000;

/** `512 B`, `1.2 kB`, `10.7 GB`, `250 MB`: at most three digits. */
export function size(bytes: number): string {
  let amount = bytes;
  let unit = 0;
  // An amount that would be rounded to 1,000 is shown in the next unit.
  while (amount >= STEP - 0.5 && unit < UNITS.length - 1) {
    amount /= STEP;
    unit += 1;
  }
  const digits = unit === 0 || amount >= 99.95 ? 0 : 1;
  return `${amount.toFixed(digits)} ${UNITS[unit]}`;
}

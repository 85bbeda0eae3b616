// The least UUID of version 7 that was made at a time or later: ids of events tell when, and days and indexes go by them.

export function firstIdAt(time: Date): string {
  const milliseconds = time.getTime().toString(16).padStart(12, "0");
  return `${milliseconds.slice(0, 8)}-${milliseconds.slice(8)}-0000-0000-000000000000`;
}

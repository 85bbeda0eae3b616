/** The least UUID of version 7 at a time. Event ids begin with their time, and partitions and indexes are ordered by it. */
export function firstIdAt(time: Date): string {
  const milliseconds = time.getTime().toString(16).padStart(12, "0");
  return `${milliseconds.slice(0, 8)}-${milliseconds.slice(8)}-0000-0000-000000000000`;
}

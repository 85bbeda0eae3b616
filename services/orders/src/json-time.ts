// Times in JSON texts that Postgres completes.

/** The SQL for a timestamp column as JSON, written as `JSON.stringify` writes a Date. */
export function jsonTimeOf(column: string): string {
  return `to_json(to_char(${column} at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))::text`;
}

// Finds the resource that an event is about: the entry, the media asset or the redirect in its data. Pure.
import { isUuid } from "@tradepost/http";

export interface Resource {
  /** Null if nothing in the data has a UUID as its `id`. */
  readonly id: string | null;
  /** Null if the resource has no version. */
  readonly version: number | null;
}

export function resourceOf(data: Readonly<Record<string, unknown>>): Resource {
  for (const value of Object.values(data)) {
    if (typeof value !== "object" || value === null || !("id" in value)) continue;
    const { id, version } = value as { id: unknown; version?: unknown };
    if (typeof id !== "string" || !isUuid(id.toLowerCase())) continue;
    return { id, version: Number.isInteger(version) ? (version as number) : null };
  }
  return { id: null, version: null };
}

/** Returns the kind of resource that events of a type are about: `content.entry.created` is about an `entry`. */
export function resourceKindOf(type: string): string {
  return type.split(".").at(-2) ?? type;
}

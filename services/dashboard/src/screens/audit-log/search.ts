// The search parameters of the screen: its filters. Pure.
import { instantOf } from "../../format/local-time.ts";
import { ACTIONS } from "./words.ts";

export interface AuditLogSearch {
  readonly action?: string;
  readonly actorId?: string;
  readonly targetId?: string;
  /** Only entries from this time on. In UTC, so that a link means the same everywhere. */
  readonly from?: string;
  readonly to?: string;
}

const ID_CHARACTERS_MAX = 100;

export function auditLogSearch(search: Record<string, unknown>): AuditLogSearch {
  const { action } = search;
  const [actorId, targetId] = [idOf(search.actorId), idOf(search.targetId)];
  const [from, to] = [timeOf(search.from), timeOf(search.to)];
  return {
    ...(typeof action === "string" && ACTIONS.some((known) => known.action === action) && { action }),
    ...(actorId !== undefined && { actorId }),
    ...(targetId !== undefined && { targetId }),
    ...(from !== undefined && { from }),
    ...(to !== undefined && { to }),
  };
}

/** The router turns an id that has only digits into a number. */
function idOf(value: unknown): string | undefined {
  if (typeof value !== "string" && typeof value !== "number") return undefined;
  const id = String(value).trim();
  return id !== "" && id.length <= ID_CHARACTERS_MAX ? id : undefined;
}

function timeOf(value: unknown): string | undefined {
  return typeof value === "string" ? instantOf(value) : undefined;
}

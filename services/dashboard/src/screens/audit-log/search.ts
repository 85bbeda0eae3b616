import { given } from "../../format/search-values.ts";
import { instantOf } from "../../format/time.ts";
import { ACTIONS } from "./words.ts";

const ID_CHARACTERS_MAX = 100;

export type AuditLogSearch = ReturnType<typeof auditLogSearch>;

/** Times are in UTC, so that a link means the same everywhere; `from` is inclusive and `to` is not. */
export function auditLogSearch({ action, actorId, targetId, from, to }: Record<string, unknown>) {
  return given({
    action: ACTIONS.find((known) => known.action === action)?.action,
    actorId: idOf(actorId),
    targetId: idOf(targetId),
    from: timeOf(from),
    to: timeOf(to),
  });
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

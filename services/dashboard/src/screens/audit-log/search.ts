import { given, textOf } from "../../format/search-values.ts";
import { instantOf } from "../../format/time.ts";
import { ACTIONS } from "./words.ts";

const ID_CHARACTERS_MAX = 100;

export type AuditLogSearch = ReturnType<typeof auditLogSearch>;

/** Times are in UTC, so that a link means the same everywhere; `from` is inclusive and `to` is not. */
export function auditLogSearch({ action, actorId, targetId, from, to }: Record<string, unknown>) {
  return given({
    action: ACTIONS.find((known) => known.action === action)?.action,
    actorId: textOf(actorId)?.slice(0, ID_CHARACTERS_MAX),
    targetId: textOf(targetId)?.slice(0, ID_CHARACTERS_MAX),
    from: instantOf(String(from)),
    to: instantOf(String(to)),
  });
}

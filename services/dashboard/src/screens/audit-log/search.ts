import { oneOf, PERIOD, parameters, textOf } from "../../format/search-values.ts";
import { ACTIONS } from "./words.ts";

const ID_CHARACTERS_MAX = 100;

export type AuditLogSearch = ReturnType<typeof auditLogSearch>;

const idOf = (value: unknown) => textOf(value)?.slice(0, ID_CHARACTERS_MAX);

export const auditLogSearch = parameters({
  action: oneOf(ACTIONS),
  actorId: idOf,
  targetId: idOf,
  ...PERIOD,
});

import type { QueryOf } from "@tradepost/client/operations";
import { given, nameIn } from "../../format/search-values.ts";

const STATES = { open: "true", closed: "false" } as const;

export type NoticesSearch = ReturnType<typeof noticesSearch>;

export function noticesSearch({ state }: Record<string, unknown>) {
  return given({ state: nameIn(STATES, state) });
}

export function queryOf({ state }: NoticesSearch): QueryOf<"listNotices"> {
  return state === undefined ? {} : { open: STATES[state] };
}

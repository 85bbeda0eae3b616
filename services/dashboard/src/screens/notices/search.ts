import type { QueryOf } from "@tradepost/client/operations";
import { oneOf, parameters } from "../../format/search-values.ts";

const STATES = { open: "true", closed: "false" } as const;

export type NoticesSearch = ReturnType<typeof noticesSearch>;

export const noticesSearch = parameters({ state: oneOf(STATES) });

export function queryOf({ state }: NoticesSearch): QueryOf<"listNotices"> {
  return state === undefined ? {} : { open: STATES[state] };
}

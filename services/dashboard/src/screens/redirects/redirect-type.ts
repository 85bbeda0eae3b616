// The HTTP statuses of redirects in words. Pure.
import type { DataOf } from "@tradepost/client/operations";

export type Redirect = DataOf<"getRedirect">;

interface TypeText {
  readonly type: Redirect["type"];
  readonly name: string;
  readonly means: string;
}

export const REDIRECT_TYPES: readonly [TypeText, ...TypeText[]] = [
  { type: 301, name: "Moved for good", means: "Browsers and search engines remember it." },
  { type: 302, name: "Elsewhere for now", means: "It is looked up again each time." },
  { type: 307, name: "Elsewhere for now, forms too", means: "As 302; what a form sends goes along." },
  { type: 308, name: "Moved for good, forms too", means: "As 301; what a form sends goes along." },
];

export function nameOf(type: Redirect["type"]): string {
  return (REDIRECT_TYPES.find((one) => one.type === type) ?? REDIRECT_TYPES[0]).name;
}

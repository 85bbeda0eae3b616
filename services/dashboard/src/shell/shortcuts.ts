import { AREAS, type AreaPath } from "./areas.ts";

export interface KeyPress {
  readonly key: string;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly altKey: boolean;
}

export type Shortcut =
  | { readonly what: "search" | "help" | "next row" | "previous row" | "go" }
  | { readonly what: "open"; readonly to: AreaPath };

interface Situation {
  /** True if the key goes into a field, or belongs to an open dialog. */
  readonly isTaken: boolean;
  /** False if the user has turned off shortcuts of a single key, which speech input may press by mistake. */
  readonly hasSingleKeys: boolean;
  /** True if the previous key was the `g` of a two-key shortcut. */
  readonly isAfterGo: boolean;
}

const SINGLE_KEYS: Readonly<Record<string, Shortcut>> = {
  "/": { what: "search" },
  "?": { what: "help" },
  j: { what: "next row" },
  k: { what: "previous row" },
  g: { what: "go" },
};

export function shortcutOf(press: KeyPress, situation: Situation): Shortcut | undefined {
  const { key, ctrlKey, metaKey, altKey } = press;
  const { isTaken, hasSingleKeys, isAfterGo } = situation;
  const hasCommand = ctrlKey || metaKey;
  if (hasCommand && !altKey && key.toLowerCase() === "k") return { what: "search" };
  if (hasCommand || altKey || isTaken || !hasSingleKeys) return undefined;
  if (!isAfterGo) return SINGLE_KEYS[key];
  const area = AREAS.find((one) => one.key === key);
  return area && { what: "open", to: area.to };
}

import { AREAS, type AreaPath } from "./areas.ts";

interface KeyPress {
  readonly key: string;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly altKey: boolean;
}

/** An address opens its area. */
type Shortcut = "search" | "help" | "next row" | "previous row" | "go" | AreaPath;

interface Situation {
  /** True if the key goes into a field, or belongs to an open dialog. */
  readonly isTaken: boolean;
  /** False if the user has turned off shortcuts of a single key, which speech input may press by mistake. */
  readonly hasSingleKeys: boolean;
  /** True if the previous key was the `g` of a two-key shortcut. */
  readonly isAfterGo: boolean;
}

const SINGLE_KEYS: Readonly<Record<string, Shortcut>> = {
  "/": "search",
  "?": "help",
  j: "next row",
  k: "previous row",
  g: "go",
};

export function shortcutOf(press: KeyPress, situation: Situation): Shortcut | undefined {
  const { key, ctrlKey, metaKey, altKey } = press;
  const { isTaken, hasSingleKeys, isAfterGo } = situation;
  const hasCommand = ctrlKey || metaKey;
  if (hasCommand && !altKey && key.toLowerCase() === "k") return "search";
  if (hasCommand || altKey || isTaken || !hasSingleKeys) return undefined;
  if (!isAfterGo) return SINGLE_KEYS[key];
  return AREAS.find((area) => area.key === key)?.to;
}

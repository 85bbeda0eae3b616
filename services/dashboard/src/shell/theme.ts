// The theme: that of the system, or the one that the user has chosen in this browser. `src/early.js` sets it before the first paint.
import { createPreference } from "./preference.ts";

export const THEMES = ["system", "light", "dark"] as const;
export type Theme = (typeof THEMES)[number];

export const theme = createPreference<Theme>("tradepost-theme", THEMES);

export function chooseTheme(chosen: Theme): void {
  theme.choose(chosen);
  const root = document.documentElement;
  root.dataset.theme = chosen;
  root.style.colorScheme = chosen === "system" ? "" : chosen;
}

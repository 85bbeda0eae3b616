// The theme: that of the system, or the one that the user has chosen in this browser. `src/early.js` sets it before the first paint.

import { createPreference } from "../session/storage.ts";
import { useStore } from "../session/use-store.ts";
import { Icon } from "../ui/icons.tsx";
import { Menu, MenuItem } from "../ui/menu.tsx";

const THEMES = ["system", "light", "dark"] as const;
type Theme = (typeof THEMES)[number];

const theme = createPreference<Theme>("tradepost-theme", THEMES);

function chooseTheme(chosen: Theme): void {
  theme.choose(chosen);
  const root = document.documentElement;
  root.dataset.theme = chosen;
  root.style.colorScheme = chosen === "system" ? "" : chosen;
}

const TEXTS: Readonly<Record<Theme, string>> = { system: "As the system", light: "Light", dark: "Dark" };

export function ThemeMenu() {
  const chosen = useStore(theme);
  return (
    <Menu label="Theme" icon={<Icon name="theme" />}>
      {THEMES.map((one) => (
        <MenuItem text={TEXTS[one]} key={one} isChosen={one === chosen} onClick={() => chooseTheme(one)} />
      ))}
    </Menu>
  );
}

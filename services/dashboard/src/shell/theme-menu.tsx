import { useStore } from "../session/use-store.ts";
import { ThemeIcon } from "../ui/icons.tsx";
import { Menu, MenuItem } from "../ui/menu.tsx";
import { chooseTheme, THEMES, type Theme, theme } from "./theme.ts";

const TEXTS: Readonly<Record<Theme, string>> = { system: "As the system", light: "Light", dark: "Dark" };

export function ThemeMenu() {
  const chosen = useStore(theme);
  return (
    <Menu label="Theme" icon={<ThemeIcon />}>
      {THEMES.map((one) => (
        <MenuItem key={one} isChosen={one === chosen} onClick={() => chooseTheme(one)}>
          {TEXTS[one]}
        </MenuItem>
      ))}
    </Menu>
  );
}

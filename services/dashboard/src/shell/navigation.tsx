// The areas that the user may use. On a narrow screen they are in a native popover behind a button.
import { Link } from "@tanstack/react-router";
import { useRef } from "react";
import { holderOf, type Me } from "../data/me.ts";
import { LIVE_MS, useList } from "../data/operations.ts";
import { bellText, countText } from "../format/words.ts";
import { isAllowed } from "../session/roles.ts";
import { createPreference } from "../session/storage.ts";
import { useStore } from "../session/use-store.ts";
import { Button } from "../ui/button.tsx";
import { Icon, Mark } from "../ui/icons.tsx";
import { Menu, MenuItem } from "../ui/menu.tsx";
import { AREA_GROUPS, AREA_ICONS, type AreaGroup, NOTICES } from "./areas.ts";
import { overlay, SEARCH_KEYS } from "./overlay.ts";
import { leave } from "./overlays.tsx";

export function Navigation({ me }: { readonly me: Me }) {
  const popover = useRef<HTMLElement>(null);
  const close = () => {
    if (popover.current?.matches(":popover-open")) popover.current.hidePopover();
  };
  return (
    <header className="side">
      <div className="side-top">
        <Mark />
        <strong className="side-shop">{me.tenant.name}</strong>
        <Bell me={me} />
      </div>
      <SearchButton />
      <button type="button" className="button side-open" popoverTarget="navigation">
        <Icon name="menu" /> Menu
      </button>
      <nav
        id="navigation"
        ref={popover}
        popover="auto"
        className="side-menu"
        aria-label="Areas"
        onClickCapture={close}
      >
        <div className="side-areas">
          {AREA_GROUPS.map((group) => (
            <Group key={group.name} group={group} me={me} />
          ))}
        </div>
        <section className="side-foot">
          <div className="side-links">
            <ul>
              <li>
                <Link to="/guides">
                  <Icon name="compass" /> Guides
                </Link>
              </li>
              <li>
                <a href="/docs" target="_blank" rel="noopener">
                  <Icon name="book" /> API reference
                </a>
              </li>
            </ul>
            <Button
              look="icon"
              icon="keyboard"
              aria-label="Keyboard shortcuts"
              title="Keyboard shortcuts"
              onClick={() => overlay.set("shortcuts")}
            />
            <ThemeMenu />
          </div>
          <User me={me} />
        </section>
      </nav>
    </header>
  );
}

function SearchButton() {
  return (
    <button
      type="button"
      className="side-search"
      aria-keyshortcuts="Control+K Meta+K /"
      onClick={() => overlay.set("search")}
    >
      <Icon name="search" />
      <span>Search</span>
      <span className="side-keys" aria-hidden="true">
        {SEARCH_KEYS.map((key) => (
          <kbd key={key}>{key}</kbd>
        ))}
      </span>
    </button>
  );
}

/** Whether the settings are unfolded. Folding them does not render the navigation again. */
const settings = createPreference("tradepost.settings", ["open", "folded"]);

function Group({ group, me }: { readonly group: AreaGroup; readonly me: Me }) {
  const allowed = group.areas.filter(({ needs }) => isAllowed(holderOf(me), needs));
  if (allowed.length === 0) return null;
  const areas = (
    <ul>
      {allowed.map(({ to, name }) => (
        <li key={to}>
          <Link to={to} activeOptions={{ exact: to === "/", includeSearch: false }}>
            <Icon name={AREA_ICONS[to]} /> {name}
          </Link>
        </li>
      ))}
    </ul>
  );
  if (!group.folds)
    return (
      <section>
        <h2>{group.name}</h2>
        {areas}
      </section>
    );
  return (
    <details
      open={settings.get() === "open"}
      onToggle={({ currentTarget }) => settings.choose(currentTarget.open ? "open" : "folded")}
    >
      <summary>
        <h2>{group.name}</h2>
      </summary>
      {areas}
    </details>
  );
}

function User({ me: { actor } }: { readonly me: Me }) {
  return (
    <div className="side-user">
      <Link to="/account">
        <strong>{actor.name}</strong>
        <span className="soft">{actor.role}</span>
        <span className="hidden">: password, second factor and sessions</span>
      </Link>
      <Button text="Sign out" look="quiet" onClick={leave} />
    </div>
  );
}

const OPEN = { open: "true", limit: 100 } as const;

function Bell({ me }: { readonly me: Me }) {
  const mayRead = isAllowed(holderOf(me), NOTICES.needs);
  const { items, hasNextPage } = useList("listNotices", OPEN, { everyMs: LIVE_MS, isAllowed: mayRead });
  if (!mayRead) return null;
  const count = items?.length ?? 0;
  return (
    <Link
      to={NOTICES.to}
      search={{ state: "open" }}
      className="bell"
      activeOptions={{ includeSearch: false }}
    >
      <Icon name="bell" />
      {count > 0 && (
        <span className="bell-count" aria-hidden="true">
          {countText(count, hasNextPage)}
        </span>
      )}
      <span className="hidden">{bellText(count, hasNextPage)}</span>
    </Link>
  );
}

// The theme of the system, or the theme that the user has chosen in this browser. `src/early.js` sets it before the first paint.
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

function ThemeMenu() {
  const chosen = useStore(theme);
  return (
    <Menu label="Theme" icon={<Icon name="theme" />}>
      {THEMES.map((one) => (
        <MenuItem text={TEXTS[one]} key={one} isChosen={one === chosen} onClick={() => chooseTheme(one)} />
      ))}
    </Menu>
  );
}

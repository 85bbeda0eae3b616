// The areas that the user may use. On a narrow screen they are in a native popover behind a button.
import { Link } from "@tanstack/react-router";
import { useRef } from "react";
import { holderOf, type Me } from "../data/me.ts";
import { isAllowed } from "../session/roles.ts";
import { signOut } from "../session/session.ts";
import { Button } from "../ui/button.tsx";
import { BookIcon, Mark, MenuIcon } from "../ui/icons.tsx";
import { say } from "../ui/toasts.tsx";
import { AREA_GROUPS, type AreaGroup } from "./areas.ts";
import { Bell } from "./bell.tsx";

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
        <button type="button" className="button side-open" popoverTarget="navigation">
          <MenuIcon /> Menu
        </button>
      </div>
      <nav
        id="navigation"
        ref={popover}
        popover="auto"
        className="side-menu"
        aria-label="Areas"
        onClickCapture={close}
      >
        {AREA_GROUPS.map((group) => (
          <Group key={group.name} group={group} me={me} />
        ))}
        <section className="side-foot">
          <ul>
            <li>
              <a href="/docs">
                <BookIcon /> API reference
              </a>
            </li>
          </ul>
          <User me={me} />
        </section>
      </nav>
    </header>
  );
}

function Group({ group, me }: { readonly group: AreaGroup; readonly me: Me }) {
  const allowed = group.areas.filter(({ needs }) => isAllowed(holderOf(me), needs));
  if (allowed.length === 0) return null;
  return (
    <section>
      <h2>{group.name}</h2>
      <ul>
        {allowed.map(({ to, name, icon: Icon }) => (
          <li key={to}>
            <Link to={to} activeOptions={{ exact: to === "/", includeSearch: false }}>
              <Icon /> {name}
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}

function User({ me: { actor } }: { readonly me: Me }) {
  const leave = () => signOut().catch(() => say("You are still signed in: Tradepost does not respond."));
  return (
    <div className="side-user">
      <Link to="/account">
        <strong>{actor.name}</strong>
        <span className="soft">{actor.role}</span>
        <span className="hidden">: sessions and password</span>
      </Link>
      <Button look="quiet" onClick={leave}>
        Sign out
      </Button>
    </div>
  );
}

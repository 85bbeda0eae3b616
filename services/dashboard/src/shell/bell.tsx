// The bell on every screen, with the number of open notices.
import { Link } from "@tanstack/react-router";
import { holderOf, type Me } from "../data/me.ts";
import { useList } from "../data/use-list.ts";
import { isAllowed } from "../session/roles.ts";
import { BellIcon } from "../ui/icons.tsx";
import { NOTICES } from "./areas.ts";
import { bellText, countText } from "./bell-text.ts";
import "./bell.css";

const OPEN = { open: "true", limit: 100 } as const;
const LIVE_MS = 5_000;

export function Bell({ me }: { readonly me: Me }) {
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
      <BellIcon />
      {count > 0 && (
        <span className="bell-count" aria-hidden="true">
          {countText(count, hasNextPage)}
        </span>
      )}
      <span className="hidden">{bellText(count, hasNextPage)}</span>
    </Link>
  );
}

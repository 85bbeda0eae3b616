// The frame of a signed-in user's screens: the navigation, and the space for one screen. The navigation leaves out areas that the
// role may not use; at their addresses, the screen says which roles may. A user who lacks a required second factor sets one up first.
import { useIsFetching } from "@tanstack/react-query";
import { Link, Outlet, useLocation, useRouter } from "@tanstack/react-router";
import { lazy, type PointerEvent, Suspense, useEffect, useSyncExternalStore } from "react";
import { holderOf, type Me, MeProvider } from "../data/me.ts";
import { useRead } from "../data/operations.ts";
import { followShop, shop } from "../format/shop.ts";
import { waitingUntil } from "../session/request.ts";
import { missing } from "../session/roles.ts";
import { useStore } from "../session/use-store.ts";
import { Icon, Mark } from "../ui/icons.tsx";
import { ErrorNote, Note } from "../ui/note.tsx";
import { Screen, WayBack } from "../ui/screen.tsx";
import { Countdown } from "../ui/value.tsx";
import { type AreaPath, areaOf, gateOf } from "./areas.ts";
import { Navigation } from "./navigation.tsx";
import { Overlays } from "./overlays.tsx";
import "./shell.css";

const RequiredSecondFactor = lazy(() => import("./required-second-factor.tsx"));

export function Shell() {
  const me = useRead("getMe");
  if (me.data !== undefined && lacksSecondFactor(me.data)) {
    return (
      <Suspense fallback={<Starting />}>
        <MeProvider value={me.data}>
          <RequiredSecondFactor me={me.data} />
        </MeProvider>
      </Suspense>
    );
  }
  if (me.data !== undefined) return <Frame me={me.data} />;
  if (me.error === null) return <Starting />;
  return (
    <main className="alone">
      <ErrorNote failure={me.error} onRetry={() => me.refetch()} />
    </main>
  );
}

function lacksSecondFactor({ actor }: Me): boolean {
  return actor.secondFactor?.required === true && !actor.secondFactor.enabled;
}

/** Screens follow the shop's settings, so they begin anew when these change. Settings that cannot be read have defaults. */
function Frame({ me }: { readonly me: Me }) {
  const { data: settings, isPending } = useRead("getShop");
  if (isPending) return <Starting />;
  if (settings !== undefined) followShop(settings);
  const { locale, timeZone, currency } = shop();
  return (
    <MeProvider key={[locale, timeZone, currency].join()} value={me}>
      <a className="skip" href="#content">
        Skip to the content
      </a>
      <div className="shell" onPointerOver={showWhole}>
        <Navigation me={me} />
        <main id="content" tabIndex={-1}>
          <Banners />
          <WayBack value={<ToList />}>
            <Allowed me={me} />
          </WayBack>
        </main>
      </div>
      <Overlays />
    </MeProvider>
  );
}

/** Gives a name that is cut after two lines the whole name as its title. The link of a row lies over the row. */
function showWhole({ target }: PointerEvent) {
  const name =
    target instanceof Element ? target.closest<HTMLElement>("a:has(.clamped), .clamped, h1") : null;
  if (name === null || (name.title !== "" && name.title !== name.dataset.whole)) return;
  name.title = name.textContent;
  name.dataset.whole = name.textContent;
}

function Allowed({ me }: { readonly me: Me }) {
  const gate = gateOf(useLocation().pathname);
  const reason = gate && missing(holderOf(me), gate.needs);
  if (gate === undefined || reason === undefined) return <Outlet />;
  return (
    <Screen title={gate.name}>
      <Note tone="warning" title="Your role does not allow this" text={reason} />
    </Screen>
  );
}

export function NotFound() {
  return (
    <Screen title="There is no such page" intro="The address may be mistyped, or the page has moved.">
      <p>
        <Link to="/">Go to the overview</Link>
      </p>
    </Screen>
  );
}

/** The search parameters with which each list was last shown. */
const lastSearch = new Map<AreaPath, object>();

/** The way back to the list above a screen, with the filters that the list had. */
function ToList() {
  const { pathname, search } = useLocation();
  const area = areaOf(pathname);
  const isList = area?.to === pathname;
  useEffect(() => {
    if (isList) lastSearch.set(area.to, search);
  }, [isList, area, search]);
  if (area === undefined || isList) return null;
  return (
    <p className="way-back">
      {/* These parameters have passed the list's own check. */}
      <Link to={area.to} search={(lastSearch.get(area.to) ?? {}) as never}>
        <Icon name="back" /> All {area.name.toLowerCase()}
      </Link>
    </p>
  );
}

const AGAIN_MS = 2_000;

/**
 * Shown until it is known who is signed in. Until then the page shows its skeleton (index.html), so this shows only that there is no
 * connection. It tries again by itself.
 */
export function Starting({ error }: { readonly error?: unknown }) {
  const router = useRouter();
  useEffect(() => {
    if (error === undefined) return;
    const timer = setTimeout(() => void router.invalidate(), AGAIN_MS);
    return () => clearTimeout(timer);
  }, [error, router]);
  if (error === undefined) return null;
  return (
    <main className="alone">
      <Mark />
      <p role="status">Tradepost does not respond. Trying again…</p>
    </main>
  );
}

/** Report a lost connection and the wait for a rate limit, on top of every screen. Both disappear by themselves. */
function Banners() {
  const until = useStore(waitingUntil);
  const isOffline = !useSyncExternalStore(onConnection, () => navigator.onLine);
  const unreachable = useIsFetching({ predicate: ({ state }) => state.fetchFailureCount > 1 }) > 0;
  return (
    <div role="status" className="banners">
      {isOffline ? (
        <p>
          <Icon name="warning" /> You are offline. The dashboard goes on when the connection is back.
        </p>
      ) : (
        unreachable && (
          <p>
            <Icon name="warning" /> Tradepost does not respond. Trying again…
          </p>
        )
      )}
      {until !== null && (
        <p>
          <Icon name="warning" /> Too many requests. Going on in <Countdown until={until} />
        </p>
      )}
    </div>
  );
}

function onConnection(listener: () => void): () => void {
  addEventListener("online", listener);
  addEventListener("offline", listener);
  return () => {
    removeEventListener("online", listener);
    removeEventListener("offline", listener);
  };
}

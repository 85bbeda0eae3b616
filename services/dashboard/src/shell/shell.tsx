// The frame of a signed-in user's screens: the navigation, and the space for one screen. The navigation leaves out areas that the
// role may not use; opening the address of one says which roles may. A user who lacks a required second factor sets one up first.
import { Outlet, useLocation } from "@tanstack/react-router";
import { lazy, Suspense } from "react";
import { holderOf, type Me, MeProvider } from "../data/me.ts";
import { useRead } from "../data/use-read.ts";
import { missing } from "../session/roles.ts";
import { Banners } from "../ui/banners.tsx";
import { ErrorNote } from "../ui/error-note.tsx";
import { Refused } from "../ui/refused.tsx";
import { WayBack } from "../ui/screen.tsx";
import { areaOf } from "./areas.ts";
import { Navigation } from "./navigation.tsx";
import { Overlays } from "./overlays.tsx";
import { Starting } from "./starting.tsx";
import { ToList } from "./way-back.tsx";
import "./shell.css";

const RequiredSecondFactor = lazy(() => import("./required-second-factor.tsx"));

export function Shell() {
  const me = useRead("getMe");
  if (me.data !== undefined && lacksSecondFactor(me.data)) {
    return (
      <Suspense fallback={<Starting />}>
        <RequiredSecondFactor me={me.data} />
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

function Frame({ me }: { readonly me: Me }) {
  return (
    <MeProvider value={me}>
      <a className="skip" href="#content">
        Skip to the content
      </a>
      <div className="shell">
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

function Allowed({ me }: { readonly me: Me }) {
  const area = areaOf(useLocation().pathname);
  const reason = area && missing(holderOf(me), area.needs);
  if (area === undefined || reason === undefined) return <Outlet />;
  return <Refused title={area.name} reason={reason} />;
}

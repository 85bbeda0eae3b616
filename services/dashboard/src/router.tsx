// The addresses of all screens. Each screen is loaded when it is first opened; its search parameters are checked here, so that
// every address works that a person can type.
import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  redirect,
} from "@tanstack/react-router";
import { queryClient } from "./data/query-client.ts";
import { aiIntegrationsSearch } from "./screens/ai-integrations/search.ts";
import { signInSearch } from "./screens/sign-in/search.ts";
import { resume, session } from "./session/session.ts";
import { NotFound } from "./shell/not-found.tsx";
import { Shell } from "./shell/shell.tsx";
import { Starting } from "./shell/starting.tsx";

const BASE = "/dashboard";
const IDLE_MS = 1_000;

const SCREENS = {
  signIn: () => import("./screens/sign-in/sign-in.tsx"),
  overview: () => import("./screens/overview/overview.tsx"),
  aiIntegrations: () => import("./screens/ai-integrations/ai-integrations.tsx"),
};

const root = createRootRoute({ notFoundComponent: NotFound });

const signIn = createRoute({
  getParentRoute: () => root,
  path: "/sign-in",
  validateSearch: signInSearch,
  beforeLoad: resume,
  pendingComponent: Starting,
  errorComponent: Starting,
  component: lazyRouteComponent(SCREENS.signIn, "SignIn"),
});

/** Everything but the sign-in needs a session. */
const app = createRoute({
  getParentRoute: () => root,
  id: "app",
  beforeLoad: async ({ location }) => {
    await resume();
    if (session.get().status === "signed out")
      throw redirect({ to: "/sign-in", search: { next: location.href } });
  },
  component: Shell,
  pendingComponent: Starting,
  errorComponent: Starting,
});

const overview = createRoute({
  getParentRoute: () => app,
  path: "/",
  component: lazyRouteComponent(SCREENS.overview, "Overview"),
});

const aiIntegrations = createRoute({
  getParentRoute: () => app,
  path: "/ai-integrations",
  validateSearch: aiIntegrationsSearch,
  component: lazyRouteComponent(SCREENS.aiIntegrations, "AiIntegrations"),
});

export const router = createRouter({
  routeTree: root.addChildren([signIn, app.addChildren([overview, aiIntegrations])]),
  basepath: BASE,
  // Otherwise parameters that a screen's check has dropped reach it in spite of that.
  search: { strict: true },
  defaultPreload: "intent",
  defaultPendingMs: 300,
  scrollRestoration: true,
});

declare module "@tanstack/react-router" {
  interface Register {
    router: typeof router;
  }
}

// A few kilobytes each: once the first screen is there, the others are loaded too, so that they open without a connection.
setTimeout(() => {
  for (const load of Object.values(SCREENS)) load().catch(() => undefined);
}, IDLE_MS);

// A session that ends, here or in another tab, leads to the sign-in and back to the same address.
let isSignedIn = false;
session.subscribe(() => {
  const { status } = session.get();
  if (status === "signed out" && isSignedIn) {
    void queryClient.clear();
    void router.invalidate();
  }
  isSignedIn = status === "signed in";
});

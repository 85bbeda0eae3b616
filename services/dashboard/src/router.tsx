// The addresses of all screens. Each screen is loaded when it is first opened. Its search parameters are checked here, so that
// every address that a person can type works.
import {
  type AnyValidator,
  type Constrain,
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  redirect,
} from "@tanstack/react-router";
import { OPERATIONS, type OperationId } from "@tradepost/client/operations";
import type { ComponentType } from "react";
import type { Input } from "./api/send.ts";
import { readQuery } from "./data/operations.ts";
import { queryClient } from "./data/query-client.ts";
import { flagOf, parameters, textOf, uuidOf } from "./format/search-values.ts";
import { failureSearch, signInSearch } from "./format/sign-in-failures.ts";
import { followSession, loadSignInAgain, Root } from "./lost-session.tsx";
import { auditLogSearch } from "./screens/audit-log/search.ts";
import { contentTypeSearch, contentTypesSearch } from "./screens/content-types/search.ts";
import { deliveriesSearch } from "./screens/deliveries/search.ts";
import { entriesSearch, entrySearch, newEntrySearch } from "./screens/entries/search.ts";
import { eventsSearch } from "./screens/events/search.ts";
import { noticesSearch } from "./screens/notices/search.ts";
import { ordersSearch, placeOrderSearch } from "./screens/orders/search.ts";
import { reportSearch } from "./screens/reports/period.ts";
import { requestsSearch } from "./screens/requests/search.ts";
import { ledgerSearch, webhooksSearch } from "./screens/webhooks/search.ts";
import { expectedAddress, mayResume, resume, session } from "./session/session.ts";
import { OVERLAYS } from "./shell/overlays.tsx";
import { NotFound, Shell, Starting } from "./shell/shell.tsx";

const BASE = "/dashboard";
const IDLE_MS = 10_000;

const loads: (() => Promise<unknown>)[] = [...OVERLAYS, loadSignInAgain];

const root = createRootRoute({ component: Root });

const signIn = createRoute({
  getParentRoute: () => root,
  path: "/sign-in",
  validateSearch: signInSearch,
  beforeLoad: known,
  pendingComponent: Starting,
  errorComponent: Starting,
  component: shown(() => import("./screens/sign-in/sign-in.tsx")),
});

/** The address of a setup link; its token is in the fragment, which no server sees. */
const setUp = createRoute({
  getParentRoute: () => root,
  path: "/set-up",
  component: shown(() => import("./screens/sign-in/set-up.tsx")),
});

const app = createRoute({
  getParentRoute: () => root,
  id: "app",
  beforeLoad: async ({ location }) => {
    await known();
    const current = session.get();
    if (current.status === "signed in") {
      const next = location.href === "/" ? expectedAddress() : "/";
      if (next !== "/") throw redirect({ href: next, replace: true });
      return;
    }
    // Does not lead the next person at this browser to the page of the user who signed out.
    const isByUser = current.status === "signed out" && current.isByUser;
    throw redirect({ to: "/sign-in", search: isByUser ? {} : { next: location.href } });
  },
  component: Shell,
  pendingComponent: Starting,
  errorComponent: Starting,
});

/** Waits until it is known who is signed in. A browser without a session shows the sign-in at once. */
async function known(): Promise<void> {
  if (mayResume()) await resume();
}

/** A component that is loaded when it is first shown, or after a while. */
function shown(load: () => Promise<{ default: ComponentType }>) {
  loads.push(load);
  return lazyRouteComponent(load);
}

function screen<const Path extends string, Validator = undefined>(
  path: Path,
  load: () => Promise<{ default: ComponentType }>,
  validateSearch?: Constrain<Validator, AnyValidator>,
) {
  return createRoute({
    getParentRoute: () => app,
    path,
    validateSearch,
    component: shown(load),
    loader: ({ cause, params }) => {
      const operation = READ_AHEAD[path];
      if (cause === "preload" && operation !== undefined) readAhead(operation, Object.values(params).join());
    },
  });
}

/** Read when the pointer or the focus rests on a link to the page. */
const READ_AHEAD: Readonly<Record<string, Extract<OperationId, `get${string}`>>> = {
  "/orders/$orderId": "getOrder",
  "/customers/$customerId": "getCustomer",
  "/entries/$entryId": "getEntry",
  "/content-types/$slug": "getContentType",
  "/media/$mediaId": "getMedia",
  "/webhooks/$subscriptionId": "getSubscription",
  "/deliveries/$deliveryId": "getDelivery",
  "/events/$eventId": "getWebhookEvent",
  "/requests/$requestId": "getRequest",
};

function readAhead(operation: OperationId, id: string): void {
  const name = /\w+(?=\}$)/.exec(OPERATIONS[operation].path)?.[0] ?? "";
  void queryClient.prefetchQuery(readQuery(operation, { path: { [name]: id } } as Input<OperationId>));
}

const screens = [
  screen("/", () => import("./screens/overview/overview.tsx")),
  screen(
    "/ai-integrations",
    () => import("./screens/ai-integrations/ai-integrations.tsx"),
    // `all` includes keys that have ended.
    parameters({ create: flagOf, all: flagOf }),
  ),
  screen("/reports", () => import("./screens/reports/reports.tsx"), reportSearch),
  screen("/orders", () => import("./screens/orders/orders.tsx"), ordersSearch),
  screen("/orders/new", () => import("./screens/orders/place-order.tsx"), placeOrderSearch),
  screen("/orders/import", () => import("./screens/orders/import-orders.tsx")),
  screen("/orders/$orderId", () => import("./screens/orders/order.tsx")),
  screen(
    "/customers",
    () => import("./screens/customers/customers.tsx"),
    parameters({ search: textOf, externalId: textOf, add: flagOf }),
  ),
  screen("/customers/$customerId", () => import("./screens/customers/customer.tsx")),
  screen("/entries", () => import("./screens/entries/entries.tsx"), entriesSearch),
  screen("/entries/new", () => import("./screens/entries/new-entry.tsx"), newEntrySearch),
  screen("/entries/$entryId", () => import("./screens/entries/entry.tsx"), entrySearch),
  screen("/content-types", () => import("./screens/content-types/content-types.tsx"), contentTypesSearch),
  screen("/content-types/$slug", () => import("./screens/content-types/content-type.tsx"), contentTypeSearch),
  screen("/media", () => import("./screens/media/media.tsx"), parameters({ search: textOf })),
  screen("/media/$mediaId", () => import("./screens/media/medium.tsx")),
  screen(
    "/redirects",
    () => import("./screens/redirects/redirects.tsx"),
    parameters({ search: textOf, add: flagOf }),
  ),
  screen("/console", () => import("./screens/console/console.tsx")),
  screen("/webhooks", () => import("./screens/webhooks/webhooks.tsx"), webhooksSearch),
  screen("/webhooks/event-types", () => import("./screens/webhooks/event-types.tsx")),
  screen(
    "/webhooks/$subscriptionId",
    () => import("./screens/webhooks/subscription.tsx"),
    parameters({ replay: uuidOf }),
  ),
  screen("/webhooks/$subscriptionId/ledger", () => import("./screens/webhooks/ledger.tsx"), ledgerSearch),
  screen("/deliveries", () => import("./screens/deliveries/deliveries.tsx"), deliveriesSearch),
  screen("/deliveries/$deliveryId", () => import("./screens/deliveries/delivery.tsx")),
  screen("/events", () => import("./screens/events/events.tsx"), eventsSearch),
  screen("/events/$eventId", () => import("./screens/events/event.tsx")),
  screen("/notices", () => import("./screens/notices/notices.tsx"), noticesSearch),
  screen("/shop", () => import("./screens/shop/shop.tsx")),
  screen("/staff", () => import("./screens/staff/staff.tsx"), parameters({ add: flagOf })),
  screen("/staff/$userId", () => import("./screens/staff/person.tsx")),
  screen("/audit-log", () => import("./screens/audit-log/audit-log.tsx"), auditLogSearch),
  screen("/requests", () => import("./screens/requests/requests.tsx"), requestsSearch),
  screen("/requests/$requestId", () => import("./screens/requests/request.tsx")),
  screen("/usage", () => import("./screens/usage/usage.tsx")),
  screen("/guides", () => import("./screens/guides/guides.tsx")),
  screen("/guides/$guide", () => import("./screens/guides/guide.tsx")),
  screen("/account", () => import("./screens/account/account.tsx"), failureSearch),
  // Every other address, so that the navigation stays visible.
  createRoute({ getParentRoute: () => app, path: "$", component: NotFound }),
] as const;

export const router = createRouter({
  routeTree: root.addChildren([signIn, setUp, app.addChildren(screens)]),
  basepath: BASE,
  // Without this, a screen would also get the parameters that its check has dropped.
  search: { strict: true },
  defaultPreload: "intent",
  // A pointer that sweeps over a list reads nothing.
  defaultPreloadDelay: 100,
  defaultPreloadStaleTime: 0,
  defaultPendingMs: 300,
  scrollRestoration: true,
});

declare module "@tanstack/react-router" {
  interface Register {
    router: typeof router;
  }
}

// After the first screen, the others are loaded too, so that they open without a connection. Each has a few kilobytes.
setTimeout(() => {
  for (const load of loads) load().catch(() => undefined);
}, IDLE_MS);

followSession(router);

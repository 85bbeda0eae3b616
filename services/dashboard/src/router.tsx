// The addresses of all screens. Each screen is loaded when it is first opened. Its search parameters are checked here, so that
// every address that a person can type works.
import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  redirect,
} from "@tanstack/react-router";
import { followSession, loadSignInAgain, Root } from "./lost-session.tsx";
import { aiIntegrationsSearch } from "./screens/ai-integrations/search.ts";
import { auditLogSearch } from "./screens/audit-log/search.ts";
import { contentTypeSearch, contentTypesSearch } from "./screens/content-types/search.ts";
import { customersSearch } from "./screens/customers/search.ts";
import { deliveriesSearch } from "./screens/deliveries/search.ts";
import { entriesSearch, entrySearch, newEntrySearch } from "./screens/entries/search.ts";
import { eventsSearch } from "./screens/events/search.ts";
import { noticesSearch } from "./screens/notices/search.ts";
import { ordersSearch, placeOrderSearch } from "./screens/orders/search.ts";
import { redirectsSearch } from "./screens/redirects/search.ts";
import { requestsSearch } from "./screens/requests/search.ts";
import { signInSearch } from "./screens/sign-in/search.ts";
import { staffSearch } from "./screens/staff/search.ts";
import { ledgerSearch, subscriptionSearch, webhooksSearch } from "./screens/webhooks/search.ts";
import { resume, session } from "./session/session.ts";
import { NotFound } from "./shell/not-found.tsx";
import { OVERLAYS } from "./shell/overlays.tsx";
import { Shell } from "./shell/shell.tsx";
import { Starting } from "./shell/starting.tsx";
import { loadToasts } from "./ui/toasts.tsx";

const BASE = "/dashboard";
const IDLE_MS = 10_000;

const SCREENS = {
  signIn: () => import("./screens/sign-in/sign-in.tsx"),
  overview: () => import("./screens/overview/overview.tsx"),
  aiIntegrations: () => import("./screens/ai-integrations/ai-integrations.tsx"),
  setUp: () => import("./screens/set-up/set-up.tsx"),
  orders: () => import("./screens/orders/orders.tsx"),
  placeOrder: () => import("./screens/orders/place-order.tsx"),
  importOrders: () => import("./screens/orders/import-orders.tsx"),
  order: () => import("./screens/orders/order.tsx"),
  customers: () => import("./screens/customers/customers.tsx"),
  customer: () => import("./screens/customers/customer.tsx"),
  entries: () => import("./screens/entries/entries.tsx"),
  newEntry: () => import("./screens/entries/new-entry.tsx"),
  entry: () => import("./screens/entries/entry.tsx"),
  contentTypes: () => import("./screens/content-types/content-types.tsx"),
  contentType: () => import("./screens/content-types/content-type.tsx"),
  media: () => import("./screens/media/media.tsx"),
  medium: () => import("./screens/media/medium.tsx"),
  redirects: () => import("./screens/redirects/redirects.tsx"),
  webhooks: () => import("./screens/webhooks/webhooks.tsx"),
  eventTypes: () => import("./screens/webhooks/event-types.tsx"),
  subscription: () => import("./screens/webhooks/subscription.tsx"),
  ledger: () => import("./screens/webhooks/ledger.tsx"),
  deliveries: () => import("./screens/deliveries/deliveries.tsx"),
  delivery: () => import("./screens/deliveries/delivery.tsx"),
  events: () => import("./screens/events/events.tsx"),
  event: () => import("./screens/events/event.tsx"),
  notices: () => import("./screens/notices/notices.tsx"),
  staff: () => import("./screens/staff/staff.tsx"),
  person: () => import("./screens/staff/person.tsx"),
  modules: () => import("./screens/modules/modules.tsx"),
  auditLog: () => import("./screens/audit-log/audit-log.tsx"),
  usage: () => import("./screens/usage/usage.tsx"),
  requests: () => import("./screens/requests/requests.tsx"),
  guides: () => import("./screens/guides/guides.tsx"),
  guide: () => import("./screens/guides/guide.tsx"),
  account: () => import("./screens/account/account.tsx"),
};

const root = createRootRoute({ component: Root });

const signIn = createRoute({
  getParentRoute: () => root,
  path: "/sign-in",
  validateSearch: signInSearch,
  beforeLoad: resume,
  pendingComponent: Starting,
  errorComponent: Starting,
  component: lazyRouteComponent(SCREENS.signIn, "SignIn"),
});

/** The address of a setup link; its token is in the fragment, which no server sees. */
const setUp = createRoute({
  getParentRoute: () => root,
  path: "/set-up",
  component: lazyRouteComponent(SCREENS.setUp, "SetUp"),
});

/** All other screens need a session. */
const app = createRoute({
  getParentRoute: () => root,
  id: "app",
  beforeLoad: async ({ location }) => {
    await resume();
    const current = session.get();
    // Does not lead the next person at this browser to the page of the one who signed out.
    if (current.status === "signed out")
      throw redirect({ to: "/sign-in", search: current.isByUser ? {} : { next: location.href } });
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

const orders = createRoute({
  getParentRoute: () => app,
  path: "/orders",
  validateSearch: ordersSearch,
  component: lazyRouteComponent(SCREENS.orders, "Orders"),
});

const placeOrder = createRoute({
  getParentRoute: () => app,
  path: "/orders/new",
  validateSearch: placeOrderSearch,
  component: lazyRouteComponent(SCREENS.placeOrder, "PlaceOrder"),
});

const importOrders = createRoute({
  getParentRoute: () => app,
  path: "/orders/import",
  component: lazyRouteComponent(SCREENS.importOrders, "ImportOrders"),
});

const order = createRoute({
  getParentRoute: () => app,
  path: "/orders/$orderId",
  component: lazyRouteComponent(SCREENS.order, "Order"),
});

const customers = createRoute({
  getParentRoute: () => app,
  path: "/customers",
  validateSearch: customersSearch,
  component: lazyRouteComponent(SCREENS.customers, "Customers"),
});

const customer = createRoute({
  getParentRoute: () => app,
  path: "/customers/$customerId",
  component: lazyRouteComponent(SCREENS.customer, "Customer"),
});

const entries = createRoute({
  getParentRoute: () => app,
  path: "/entries",
  validateSearch: entriesSearch,
  component: lazyRouteComponent(SCREENS.entries, "Entries"),
});

const newEntry = createRoute({
  getParentRoute: () => app,
  path: "/entries/new",
  validateSearch: newEntrySearch,
  component: lazyRouteComponent(SCREENS.newEntry, "NewEntry"),
});

const entry = createRoute({
  getParentRoute: () => app,
  path: "/entries/$entryId",
  validateSearch: entrySearch,
  component: lazyRouteComponent(SCREENS.entry, "Entry"),
});

const contentTypes = createRoute({
  getParentRoute: () => app,
  path: "/content-types",
  validateSearch: contentTypesSearch,
  component: lazyRouteComponent(SCREENS.contentTypes, "ContentTypes"),
});

const contentType = createRoute({
  getParentRoute: () => app,
  path: "/content-types/$slug",
  validateSearch: contentTypeSearch,
  component: lazyRouteComponent(SCREENS.contentType, "ContentType"),
});

const media = createRoute({
  getParentRoute: () => app,
  path: "/media",
  component: lazyRouteComponent(SCREENS.media, "Media"),
});

const medium = createRoute({
  getParentRoute: () => app,
  path: "/media/$mediaId",
  component: lazyRouteComponent(SCREENS.medium, "Medium"),
});

const redirects = createRoute({
  getParentRoute: () => app,
  path: "/redirects",
  validateSearch: redirectsSearch,
  component: lazyRouteComponent(SCREENS.redirects, "Redirects"),
});

const webhooks = createRoute({
  getParentRoute: () => app,
  path: "/webhooks",
  validateSearch: webhooksSearch,
  component: lazyRouteComponent(SCREENS.webhooks, "Webhooks"),
});

const eventTypes = createRoute({
  getParentRoute: () => app,
  path: "/webhooks/event-types",
  component: lazyRouteComponent(SCREENS.eventTypes, "EventTypes"),
});

const subscription = createRoute({
  getParentRoute: () => app,
  path: "/webhooks/$subscriptionId",
  validateSearch: subscriptionSearch,
  component: lazyRouteComponent(SCREENS.subscription, "Subscription"),
});

const ledger = createRoute({
  getParentRoute: () => app,
  path: "/webhooks/$subscriptionId/ledger",
  validateSearch: ledgerSearch,
  component: lazyRouteComponent(SCREENS.ledger, "Ledger"),
});

const deliveries = createRoute({
  getParentRoute: () => app,
  path: "/deliveries",
  validateSearch: deliveriesSearch,
  component: lazyRouteComponent(SCREENS.deliveries, "Deliveries"),
});

const delivery = createRoute({
  getParentRoute: () => app,
  path: "/deliveries/$deliveryId",
  component: lazyRouteComponent(SCREENS.delivery, "Delivery"),
});

const events = createRoute({
  getParentRoute: () => app,
  path: "/events",
  validateSearch: eventsSearch,
  component: lazyRouteComponent(SCREENS.events, "Events"),
});

const event = createRoute({
  getParentRoute: () => app,
  path: "/events/$eventId",
  component: lazyRouteComponent(SCREENS.event, "Event"),
});

const notices = createRoute({
  getParentRoute: () => app,
  path: "/notices",
  validateSearch: noticesSearch,
  component: lazyRouteComponent(SCREENS.notices, "Notices"),
});

const staff = createRoute({
  getParentRoute: () => app,
  path: "/staff",
  validateSearch: staffSearch,
  component: lazyRouteComponent(SCREENS.staff, "Staff"),
});

const person = createRoute({
  getParentRoute: () => app,
  path: "/staff/$userId",
  component: lazyRouteComponent(SCREENS.person, "Person"),
});

const modules = createRoute({
  getParentRoute: () => app,
  path: "/modules",
  component: lazyRouteComponent(SCREENS.modules, "Modules"),
});

const auditLog = createRoute({
  getParentRoute: () => app,
  path: "/audit-log",
  validateSearch: auditLogSearch,
  component: lazyRouteComponent(SCREENS.auditLog, "AuditLog"),
});

const requests = createRoute({
  getParentRoute: () => app,
  path: "/requests",
  validateSearch: requestsSearch,
  component: lazyRouteComponent(SCREENS.requests, "Requests"),
});

const usage = createRoute({
  getParentRoute: () => app,
  path: "/usage",
  component: lazyRouteComponent(SCREENS.usage, "Usage"),
});

const guides = createRoute({
  getParentRoute: () => app,
  path: "/guides",
  component: lazyRouteComponent(SCREENS.guides, "Guides"),
});

const guide = createRoute({
  getParentRoute: () => app,
  path: "/guides/$guide",
  component: lazyRouteComponent(SCREENS.guide, "Guide"),
});

const account = createRoute({
  getParentRoute: () => app,
  path: "/account",
  component: lazyRouteComponent(SCREENS.account, "Account"),
});

/** Every other address, so that the navigation stays there. */
const notFound = createRoute({ getParentRoute: () => app, path: "$", component: NotFound });

export const router = createRouter({
  routeTree: root.addChildren([
    signIn,
    setUp,
    app.addChildren([
      overview,
      aiIntegrations,
      orders,
      placeOrder,
      importOrders,
      order,
      customers,
      customer,
      entries,
      newEntry,
      entry,
      contentTypes,
      contentType,
      media,
      medium,
      redirects,
      webhooks,
      eventTypes,
      subscription,
      ledger,
      deliveries,
      delivery,
      events,
      event,
      notices,
      staff,
      person,
      modules,
      auditLog,
      requests,
      usage,
      guides,
      guide,
      account,
      notFound,
    ]),
  ]),
  basepath: BASE,
  // Without this, a screen would also get the parameters that its check has dropped.
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

// After the first screen, the others are loaded too, so that they open without a connection. Each has a few kilobytes.
setTimeout(() => {
  for (const load of [...Object.values(SCREENS), ...OVERLAYS, loadSignInAgain, loadToasts])
    load().catch(() => undefined);
}, IDLE_MS);

followSession(router);

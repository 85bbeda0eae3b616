// The records that the search finds. Each source asks the platform for one kind.
import { keepPreviousData, useQueries } from "@tanstack/react-query";
import { defaultStringifySearch } from "@tanstack/react-router";
import type { DataOf, ItemOf, OperationId, QueryOf } from "@tradepost/client/operations";
import { Failure } from "../../api/failure.ts";
import type { Input } from "../../api/send.ts";
import { holderOf, useMe } from "../../data/me.ts";
import { usePaused } from "../../data/use-paused.ts";
import { money } from "../../format/money.ts";
import { ORDER_STATUSES } from "../../format/order-words.ts";
import { isUuid } from "../../format/search-values.ts";
import { DELIVERY_STATUSES, EVENT_TYPES } from "../../format/webhooks.ts";
import { entryTitle } from "../../format/words.ts";
import { request } from "../../session/request.ts";
import { isAllowed, type Needs } from "../../session/roles.ts";
import type { IconName } from "../../ui/icons.tsx";
import { isNamed } from "./commands.ts";

export interface Found {
  /** A plural: `Orders`. */
  readonly group: string;
  readonly name: string;
  readonly detail?: string | undefined;
  readonly icon: IconName;
  /** Below /dashboard. */
  readonly href: string;
}

const KINDS = {
  order: { group: "Orders", icon: "receipt", path: "/orders" },
  customer: { group: "Customers", icon: "person", path: "/customers" },
  subscription: { group: "Subscriptions", icon: "hook", path: "/webhooks" },
  entry: { group: "Entries", icon: "page", path: "/entries" },
  file: { group: "Files", icon: "picture", path: "/media" },
  redirect: { group: "Redirects", icon: "turn", path: "/redirects" },
  delivery: { group: "Deliveries", icon: "send", path: "/deliveries" },
  event: { group: "Events", icon: "pulse", path: "/events" },
} as const satisfies Record<string, { group: string; icon: IconName; path: string }>;

type Kind = keyof typeof KINDS;

function page(kind: Kind, id: string, name: string, detail?: string): Found {
  const { group, icon, path } = KINDS[kind];
  return { group, name, detail, icon, href: `${path}/${id}` };
}

function list(kind: Kind, name: string, search: object): Found {
  const { group, path } = KINDS[kind];
  return { group, name, icon: "search", href: path + defaultStringifySearch(search) };
}

const foundCustomer = ({ id, name, email, phone }: ItemOf<"listCustomers">) =>
  page("customer", id, name, email ?? phone);
const foundSubscription = ({ id, name, url }: Pick<ItemOf<"listSubscriptions">, "id" | "name" | "url">) =>
  page("subscription", id, name, url);
const foundFile = ({ id, filename }: Pick<ItemOf<"listMedia">, "id" | "filename">) =>
  page("file", id, filename);
const foundEntry = (entry: Pick<ItemOf<"listEntries">, "id" | "data" | "slug" | "locale">) =>
  page("entry", entry.id, entryTitle(entry), `${entry.slug} · ${entry.locale}`);
const foundRedirect = ({ from, to }: ItemOf<"listRedirects">): Found => ({
  ...list("redirect", from, { search: from }),
  detail: to,
  icon: KINDS.redirect.icon,
});

interface Source {
  readonly name: string;
  readonly needs: Needs;
  readonly find: (text: string, signal: AbortSignal) => Promise<Found[]>;
}

const CRM = { role: "viewer", module: "crm" } as const;
const CONTENT = { role: "viewer", module: "content" } as const;

const CHARACTERS_MIN = 2;
/** The longest search that the platform takes. */
const CHARACTERS_MAX = 100;
const SHOWN_MAX = 5;
const NOT_FOUND = 404;
// One word with a digit or a separator, so that few searches ask for SKUs.
const SKU = /^(?=.*[\d_.-])\S+$/;

const BY_TEXT: readonly Source[] = [
  {
    name: "orders",
    needs: CRM,
    find: async (search, signal) => {
      const orders = await read("listOrders", { search, limit: SHOWN_MAX + 1 }, signal);
      const found = await withCustomers(orders.slice(0, SHOWN_MAX), signal);
      return withAll(found, orders.length, "order", search);
    },
  },
  {
    name: "SKU",
    needs: CRM,
    find: async (sku, signal) => {
      if (!SKU.test(sku)) return [];
      const orders = await read("listOrders", { sku, limit: 1 }, signal);
      return orders.map(() => list("order", `Orders with the SKU ${sku}`, { sku }));
    },
  },
  { name: "customers", needs: CRM, find: bySearch("customer", "listCustomers", foundCustomer) },
  {
    name: "subscriptions",
    needs: CONTENT,
    find: async (text, signal) => {
      const subscriptions = await read("listSubscriptions", { limit: 100 }, signal);
      const named = subscriptions.filter(({ name, url }) => isNamed(`${name} ${url}`, text));
      return named.slice(0, SHOWN_MAX).map(foundSubscription);
    },
  },
  { name: "entries", needs: CONTENT, find: bySearch("entry", "listEntries", foundEntry) },
  { name: "media", needs: CONTENT, find: bySearch("file", "listMedia", foundFile) },
  { name: "redirects", needs: CONTENT, find: bySearch("redirect", "listRedirects", foundRedirect) },
];

async function read<Id extends OperationId>(operation: Id, query: QueryOf<Id>, signal: AbortSignal) {
  return (await request(operation, { query } as Input<Id>, { signal })).data as ItemOf<Id>[];
}

/** Finds by the search of a list, whose screen shows all. */
function bySearch<Id extends "listCustomers" | "listEntries" | "listMedia" | "listRedirects">(
  kind: Kind,
  operation: Id,
  foundOf: (item: ItemOf<Id>) => Found,
): Source["find"] {
  return async (search, signal) => {
    const items = await read(operation, { search, limit: SHOWN_MAX + 1 } as QueryOf<Id>, signal);
    return withAll(items.slice(0, SHOWN_MAX).map(foundOf), items.length, kind, search);
  };
}

const BY_ID: readonly Source[] = [
  {
    name: "order",
    needs: CRM,
    find: async (id, signal) => withCustomers(await read("listOrders", { ids: [id] }, signal), signal),
  },
  {
    name: "customer",
    needs: CRM,
    find: async (id, signal) => (await read("listCustomers", { ids: [id] }, signal)).map(foundCustomer),
  },
  byId("getDelivery", ({ id, type, status }) =>
    page("delivery", id, EVENT_TYPES[type], DELIVERY_STATUSES[status].text),
  ),
  byId("getWebhookEvent", ({ id, type }) => page("event", id, EVENT_TYPES[type], type)),
  byId("getEntry", foundEntry),
  byId("getMedia", foundFile),
  byId("getSubscription", foundSubscription),
];

/** Finds one record of the content module, or nothing if it does not exist. */
function byId<Id extends "getDelivery" | "getWebhookEvent" | "getEntry" | "getMedia" | "getSubscription">(
  operation: Id,
  foundOf: (data: DataOf<Id>) => Found,
): Source {
  const find = async (id: string, signal: AbortSignal) => {
    try {
      return [foundOf((await request(operation, { path: { id } } as Input<Id>, { signal })).data)];
    } catch (error) {
      if (error instanceof Failure && error.status === NOT_FOUND) return [];
      throw error;
    }
  };
  return { name: operation, needs: CONTENT, find };
}

/** Returns the sources for a text. A complete id is looked up in every source that may have it, a single letter in none. */
function sourcesFor(text: string): readonly Source[] {
  if (text.length < CHARACTERS_MIN) return [];
  return isUuid(text) ? BY_ID : BY_TEXT;
}

async function withCustomers(orders: readonly ItemOf<"listOrders">[], signal: AbortSignal): Promise<Found[]> {
  if (orders.length === 0) return [];
  const ids = [...new Set(orders.map(({ customerId }) => customerId))];
  const customers = await read("listCustomers", { ids, limit: ids.length }, signal);
  return orders.map(({ id, orderNumber, customerId, status, payableTotal, currency }) => {
    const customer = customers.find((one) => one.id === customerId)?.name;
    const parts = [customer, money(payableTotal, currency), ORDER_STATUSES[status].text];
    return page("order", id, `Order ${orderNumber}`, parts.filter(Boolean).join(" · "));
  });
}

/** Adds a link to the list of all, if more were read than are shown. */
function withAll(found: Found[], readCount: number, kind: Kind, search: string): Found[] {
  if (readCount <= found.length) return found;
  return [...found, list(kind, `All ${KINDS[kind].group.toLowerCase()} with “${search}”`, { search })];
}

/** `isSearching` is false once all sources have responded for the text. */
export function useFound(typed: string) {
  const holder = holderOf(useMe());
  const wanted = typed.trim().slice(0, CHARACTERS_MAX);
  const text = usePaused(wanted);
  const sources = sourcesFor(text).filter(({ needs }) => isAllowed(holder, needs));
  return useQueries({
    queries: sources.map(({ name, find }) => ({
      queryKey: ["find", name, text],
      queryFn: ({ signal }: { signal: AbortSignal }) => find(text, signal),
      placeholderData: keepPreviousData,
    })),
    combine: (results) => ({
      found: results.flatMap(({ data }) => data ?? []),
      isSearching:
        text !== wanted ||
        results.some(({ isFetching, isPlaceholderData }) => isFetching && isPlaceholderData) ||
        results.some(({ isPending }) => isPending),
      failure: (results.find(({ error }) => error !== null)?.error as Failure | undefined) ?? null,
    }),
  });
}

// The records that the search finds. Each source asks the platform for one kind.

import { keepPreviousData, useQueries } from "@tanstack/react-query";
import { defaultStringifySearch } from "@tanstack/react-router";
import type { DataOf, ItemOf } from "@tradepost/client/operations";
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

interface Found {
  /** A plural: `Orders`. */
  readonly group: string;
  readonly name: string;
  readonly detail?: string | undefined;
  readonly icon: IconName;
  readonly href: string;
}

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
// One word that is not a plain one, so that few searches ask for it.
const SKU = /^(?=.*[\d_.-])\S+$/;

const BY_TEXT: readonly Source[] = [
  {
    name: "orders",
    needs: CRM,
    find: async (search, signal) => {
      const query = { search, limit: SHOWN_MAX + 1 };
      const orders = (await request("listOrders", { query }, { signal })).data;
      const found = await withCustomers(orders.slice(0, SHOWN_MAX), signal);
      return withAll(found, orders.length, { name: "orders", search });
    },
  },
  {
    name: "SKU",
    needs: CRM,
    find: async (sku, signal) => {
      if (!SKU.test(sku)) return [];
      const { data } = await request("listOrders", { query: { sku, limit: 1 } }, { signal });
      const href = `/orders${defaultStringifySearch({ sku })}`;
      return data.map(() => ({
        group: "Orders",
        name: `Orders with the SKU ${sku}`,
        icon: "search",
        href,
      }));
    },
  },
  {
    name: "customers",
    needs: CRM,
    find: bySearch("customers", "listCustomers", foundCustomer),
  },
  {
    name: "subscriptions",
    needs: CONTENT,
    find: async (text, signal) => {
      const { data } = await request("listSubscriptions", { query: { limit: 100 } }, { signal });
      return data
        .filter(({ name, url }) => isNamed(`${name} ${url}`, text))
        .slice(0, SHOWN_MAX)
        .map(foundSubscription);
    },
  },
  {
    name: "entries",
    needs: CONTENT,
    find: bySearch("entries", "listEntries", foundEntry),
  },
  { name: "media", needs: CONTENT, find: bySearch("media", "listMedia", foundFile) },
  { name: "redirects", needs: CONTENT, find: bySearch("redirects", "listRedirects", foundRedirect) },
];

/** Finds by the search of a list, whose screen shows all. */
function bySearch<Id extends "listCustomers" | "listEntries" | "listMedia" | "listRedirects">(
  name: ListName,
  operation: Id,
  foundOf: (item: ItemOf<Id>) => Found,
): Source["find"] {
  return async (search, signal) => {
    const input = { query: { search, limit: SHOWN_MAX + 1 } } as Input<Id>;
    const items = (await request(operation, input, { signal })).data as ItemOf<Id>[];
    return withAll(items.slice(0, SHOWN_MAX).map(foundOf), items.length, { name, search });
  };
}

const BY_ID: readonly Source[] = [
  {
    name: "order",
    needs: CRM,
    find: async (id, signal) => {
      const orders = (await request("listOrders", { query: { ids: [id] } }, { signal })).data;
      return await withCustomers(orders, signal);
    },
  },
  {
    name: "customer",
    needs: CRM,
    find: async (id, signal) =>
      (await request("listCustomers", { query: { ids: [id] } }, { signal })).data.map(foundCustomer),
  },
  byId("getDelivery", ({ id, type, status }) => ({
    group: "Deliveries",
    name: EVENT_TYPES[type],
    detail: DELIVERY_STATUSES[status].text,
    icon: "send",
    href: `/deliveries/${id}`,
  })),
  byId("getWebhookEvent", ({ id, type }) => ({
    group: "Events",
    name: EVENT_TYPES[type],
    detail: type,
    icon: "pulse",
    href: `/events/${id}`,
  })),
  byId("getEntry", foundEntry),
  byId("getMedia", foundFile),
  byId("getSubscription", foundSubscription),
];

/** One thing of the content module; nothing if there is no such thing. */
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
  const customers = (await request("listCustomers", { query: { ids, limit: ids.length } }, { signal })).data;
  return orders.map(({ id, orderNumber, customerId, status, payableTotal, total, currency }) => ({
    group: "Orders",
    name: `Order ${orderNumber}`,
    detail: [
      customers.find((one) => one.id === customerId)?.name,
      money(payableTotal ?? total, currency),
      ORDER_STATUSES[status].text,
    ]
      .filter(Boolean)
      .join(" · "),
    icon: "receipt",
    href: `/orders/${id}`,
  }));
}

type ListName = "orders" | "customers" | "entries" | "media" | "redirects";

/** Adds the list of all, if more were read than are shown. */
function withAll(
  found: Found[],
  readCount: number,
  { name, search }: { readonly name: ListName; readonly search: string },
): Found[] {
  const [first] = found;
  if (first === undefined || readCount <= found.length) return found;
  const href = `/${name}${defaultStringifySearch({ search })}`;
  return [
    ...found,
    {
      group: first.group,
      name: `All ${name === "media" ? "files" : name} with “${search}”`,
      icon: "search",
      href,
    },
  ];
}

function foundCustomer({ id, name, email, phone }: ItemOf<"listCustomers">): Found {
  return { group: "Customers", name, detail: email ?? phone, icon: "person", href: `/customers/${id}` };
}

function foundSubscription({
  id,
  name,
  url,
}: Pick<ItemOf<"listSubscriptions">, "id" | "name" | "url">): Found {
  return { group: "Subscriptions", name, detail: url, icon: "hook", href: `/webhooks/${id}` };
}

function foundFile({ id, filename }: Pick<ItemOf<"listMedia">, "id" | "filename">): Found {
  return { group: "Files", name: filename, icon: "picture", href: `/media/${id}` };
}

function foundRedirect({ from, to }: ItemOf<"listRedirects">): Found {
  const href = `/redirects${defaultStringifySearch({ search: from })}`;
  return { group: "Redirects", name: from, detail: to, icon: "turn", href };
}

type Entry = Pick<ItemOf<"listEntries">, "id" | "data" | "slug" | "locale">;

function foundEntry(entry: Entry): Found {
  const { id, slug, locale } = entry;
  return {
    group: "Entries",
    name: entryTitle(entry),
    detail: `${slug} · ${locale}`,
    icon: "page",
    href: `/entries/${id}`,
  };
}

interface Results {
  readonly found: readonly Found[];
  /** False once all sources have responded for the text. */
  readonly isSearching: boolean;
  readonly failure: Failure | null;
}

export function useFound(typed: string): Results {
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
    combine: (results): Results => ({
      found: results.flatMap(({ data }) => data ?? []),
      isSearching:
        text !== wanted ||
        results.some(({ isFetching, isPlaceholderData }) => isFetching && isPlaceholderData) ||
        results.some(({ isPending }) => isPending),
      failure: (results.find(({ error }) => error !== null)?.error as Failure | undefined) ?? null,
    }),
  });
}

// The listener of the Console, while the screen is open: leases, verifies and acknowledges what arrives, and follows the orders' feed.
import { verifyWebhook } from "@tradepost/client/webhooks";
import { useCallback, useEffect, useRef, useState } from "react";
import { Failure } from "../../api/failure.ts";
import { useIsAllowed } from "../../data/me.ts";
import { request } from "../../session/request.ts";
import { type Facts, type Run, type Webhook, withFacts } from "./runs.ts";

/** By this name, a later Console finds the listeners that closed tabs left. */
const NAME = "Console of the dashboard";
const WAIT_SECONDS = 25;
const PAUSE_MS = 1_000;

type Add = (id: string, facts: Facts) => void;

export function useConsole(isEditor: boolean) {
  const hasOrders = useIsAllowed({ role: "viewer", module: "crm" });
  const [runs, setRuns] = useState<readonly Run[]>([]);
  const [isReady, setReady] = useState(false);
  const [failure, setFailure] = useState<Failure | null>(null);
  const [opening, setOpening] = useState(0);
  /** The redirects to delete; null once the page is left. */
  const redirects = useRef<Set<string> | null>(null);
  const add = useCallback<Add>((id, facts) => setRuns((all) => withFacts(all, id, facts)), []);
  useEffect(() => {
    if (!isEditor) return;
    const ended = new AbortController();
    const { signal } = ended;
    const listener = openListener();
    redirects.current = new Set();
    const follow = async () => {
      const [{ id, signingSecret }, after] = await Promise.all([listener, hasOrders ? endOfFeed() : null]);
      if (signal.aborted) return;
      setReady(true);
      setFailure(null);
      await Promise.all([
        receive(id, signingSecret ?? "", signal, add),
        after !== null && followOrders(after, signal, add),
      ]);
    };
    follow().catch((error: unknown) => {
      if (signal.aborted) return;
      ended.abort();
      setReady(false);
      setFailure(error as Failure);
    });
    const leave = () => {
      ended.abort();
      setReady(false);
      for (const id of redirects.current ?? []) forget("deleteRedirect", id);
      redirects.current = null;
      listener.then(
        ({ id }) => forget("deleteListener", id),
        () => undefined,
      );
    };
    // A page that the browser has kept comes back without its listener.
    const comeBack = ({ persisted }: PageTransitionEvent) => persisted && setOpening(opening + 1);
    window.addEventListener("pagehide", leave);
    window.addEventListener("pageshow", comeBack);
    return () => {
      window.removeEventListener("pagehide", leave);
      window.removeEventListener("pageshow", comeBack);
      leave();
    };
  }, [isEditor, hasOrders, opening, add]);
  const reopen = () => setOpening(opening + 1);
  const willDelete = (id: string) =>
    redirects.current === null ? forget("deleteRedirect", id) : redirects.current.add(id);
  return { runs, isReady, failure, reopen, add, willDelete };
}

async function openListener() {
  const { data: listeners } = await request("listListeners", { query: { limit: 100 } });
  for (const { id, name, expiresAt } of listeners)
    if (name === NAME && Date.parse(expiresAt) < Date.now()) forget("deleteListener", id);
  const body = { name: NAME, events: ["redirect.added" as const], expiresInHours: 1 };
  return (await request("createListener", { body })).data;
}

function forget(operation: "deleteListener" | "deleteRedirect", id: string): void {
  request(operation, { path: { id } }, { outlivesPage: true }).catch(() => undefined);
}

async function endOfFeed(): Promise<string> {
  return (await request("listOrderEvents", { query: { after: "now" } })).nextCursor ?? "";
}

async function receive(id: string, secret: string, signal: AbortSignal, add: Add): Promise<void> {
  while (!signal.aborted) {
    const lease = { path: { id }, body: { waitSeconds: WAIT_SECONDS } };
    const { data } = await untilItSucceeds(() => request("leaseDeliveries", lease, { signal }));
    const arrivedAt = Date.now();
    for (const { deliveryId, leaseId, attempt, headers, body } of data) {
      const fault = await faultOf(secret, headers, body);
      const resourceId = headers["X-service-Resource"]?.split("/")[1] ?? deliveryId;
      add(resourceId, { webhook: { deliveryId, headers, body, arrivedAt, fault } });
      const durationMs = Date.now() - arrivedAt;
      const statusCode = fault === null ? 200 : 401;
      const result = { path: { id, deliveryId }, body: { leaseId, attempt, statusCode, durationMs } };
      const settled = await untilItSucceeds(() => request("reportResult", result, { signal }));
      add(resourceId, { settled: settled.data });
    }
  }
}

async function faultOf(secret: string, headers: Webhook["headers"], body: string): Promise<string | null> {
  const { subtle }: { readonly subtle?: SubtleCrypto } = crypto;
  if (subtle === undefined) return "browsers can verify it over https and on localhost only";
  return await verifyWebhook(secret, headers, body).then(
    () => null,
    (error: Error) => error.message,
  );
}

async function followOrders(start: string, signal: AbortSignal, add: Add): Promise<void> {
  let after = start;
  while (!signal.aborted) {
    const query = { after, types: ["order.placed" as const], waitSeconds: WAIT_SECONDS };
    const { data, nextCursor } = await untilItSucceeds(() =>
      request("listOrderEvents", { query }, { signal }),
    );
    after = nextCursor ?? after;
    const seenAt = Date.now();
    for (const event of data)
      if (event.type === "order.placed") add(event.data.order.id, { seen: { event, seenAt } });
  }
}

async function untilItSucceeds<Result>(send: () => Promise<Result>): Promise<Result> {
  for (;;) {
    try {
      return await send();
    } catch (error) {
      if (!(error instanceof Failure && error.isTransient)) throw error;
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    }
  }
}

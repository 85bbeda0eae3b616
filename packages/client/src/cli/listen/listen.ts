// Leases the deliveries of a listener, forwards each to the target and reports the result, until the program is interrupted.
//
// Nothing is lost. If the program sleeps or is killed before it reports a delivery, the delivery can be leased again after 30
// seconds. So it may arrive twice, like every webhook.
import { setTimeout as sleep } from "node:timers/promises";
import type { Tradepost } from "../../create-client.ts";
import { TradepostError } from "../../tradepost-error.ts";
import { UsageError } from "../usage-error.ts";
import { type AttemptResult, forward, type LeasedDelivery } from "./forward.ts";
import type { Target } from "./forward-target.ts";
import type { OpenListener } from "./open-listener.ts";
import type { Printer } from "./printer.ts";

interface Listening {
  readonly client: Tradepost;
  readonly listener: OpenListener;
  readonly target: Target;
  readonly printer: Printer;
  readonly deletesAtEnd: boolean;
}

/** Each attempt takes at most 10 s, so it ends before its lease does. */
const CONCURRENCY_MAX = 10;
const WAIT_SECONDS = 25;
const PAUSE_MS = 1_000;

/** Runs until the first interrupt, or until nobody reads the output. Resolves when all leased deliveries have been reported. */
export async function listen(listening: Listening): Promise<void> {
  const { client, listener, target, printer, deletesAtEnd } = listening;
  const interrupted = onInterrupt(() =>
    printer.note("finishing what has been leased; press Ctrl-C again to stop at once"),
  );
  const ending = AbortSignal.any([interrupted.signal, printer.closed]);
  greet(listener, target, printer);
  const inProgress = new Set<Promise<void>>();
  while (!ending.aborted) {
    if (inProgress.size >= CONCURRENCY_MAX) {
      await Promise.race(inProgress);
      continue;
    }
    for (const delivery of await lease(listening, CONCURRENCY_MAX - inProgress.size, ending)) {
      const attempt = make(delivery, listening).finally(() => inProgress.delete(attempt));
      inProgress.add(attempt);
    }
  }
  await Promise.all(inProgress);
  if (deletesAtEnd) await client.listeners.delete(listener.id);
  printer.note(
    deletesAtEnd
      ? "The listener is deleted."
      : "The listener is kept: events from now on are forwarded when it is started again.",
  );
  interrupted.stop();
}

function greet(
  { id, events, isReused, waiting, secret }: OpenListener,
  { url }: Target,
  printer: Printer,
): void {
  printer.note(`${isReused ? "continuing with" : "created"} listener ${id} for ${events.length} event types`);
  if (waiting > 0) printer.note(`${waiting} ${waiting === 1 ? "delivery waits" : "deliveries wait"}`);
  if (secret !== null) printer.note(`signing secret: ${secret}`);
  printer.note(`ready: forwarding to ${url.href}; Ctrl-C ends it`);
}

/** Waits for the first due delivery. Empty after a temporary failure. */
async function lease(
  { client, listener, printer }: Listening,
  limit: number,
  signal: AbortSignal,
): Promise<readonly LeasedDelivery[]> {
  try {
    const leased = await client.listeners.lease(
      listener.id,
      { limit, waitSeconds: WAIT_SECONDS },
      { signal },
    );
    return leased;
  } catch (error) {
    if (signal.aborted) return [];
    if (!(error instanceof TradepostError)) throw error;
    if (error.code === "not_found")
      throw new UsageError("The listener has been deleted; start again to create another one.");
    if (!mayPass(error)) throw error;
    printer.note(`the platform does not respond (${error.code}); trying again`);
    await sleep((error.retryAfterSeconds ?? 0) * 1_000 || PAUSE_MS, undefined, { signal }).catch(
      () => undefined,
    );
    return [];
  }
}

/** If the response was lost, the deliveries can be leased again when their lease ends. */
function mayPass({ status }: TradepostError): boolean {
  return status === null || status >= 500 || status === 408 || status === 429;
}

async function make(
  delivery: LeasedDelivery,
  { client, listener, target, printer }: Listening,
): Promise<void> {
  const result = await forward(delivery, target);
  printer.delivery(delivery, result);
  const refusal = await report(client, listener, delivery, result);
  if (refusal !== null) printer.note(`the result of ${delivery.deliveryId} was not counted: ${refusal}`);
}

/** Repeats the report until the platform responds: otherwise it would repeat the delivery. Returns why it refused the result, or null. */
async function report(
  client: Tradepost,
  { id }: OpenListener,
  { deliveryId, attempt, leaseId }: LeasedDelivery,
  result: AttemptResult,
): Promise<string | null> {
  try {
    const options = { deadlineMs: Number.POSITIVE_INFINITY };
    await client.listeners.report(id, deliveryId, { leaseId, attempt, ...result }, options);
    return null;
  } catch (error) {
    if (error instanceof TradepostError) return error.code;
    throw error;
  }
}

/** The first Ctrl-C asks the program to finish, the second ends it. */
function onInterrupt(onFirst: () => void) {
  const controller = new AbortController();
  const interrupt = () => {
    if (controller.signal.aborted) process.exit(130);
    controller.abort();
    onFirst();
  };
  for (const name of ["SIGINT", "SIGTERM"] as const) process.on(name, interrupt);
  return {
    signal: controller.signal,
    stop: () => {
      for (const name of ["SIGINT", "SIGTERM"] as const) process.off(name, interrupt);
    },
  };
}

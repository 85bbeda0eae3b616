// `npm run demo -- integrator`: three integrations of one shop at work while every service of the platform is restarted. A
// storefront places orders, an ERP imports orders in bulk and follows the change feed, and webhooks keep a search index up to
// date. At the end each must agree with the platform's databases: no order twice, no change missed. The search index compares the
// webhooks that it has accepted with the ledger too.
//
// `storefront`, `erp` and `search-index` are written to be copied; @tradepost/client repeats requests that fail.
import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Tradepost } from "@tradepost/client";
import { until } from "@tradepost/testing";
import { receiverCertificate } from "../open-receiver.ts";
import { detail, heading, print } from "../print.ts";
import type { Platform } from "../read-platform-file.ts";
import { integrationOf, signIn } from "../tradepost-clients.ts";
import { type Comparison, compare } from "./compare.ts";
import { ARTICLE, ARTICLE_TYPE, writeArticle } from "./editor.ts";
import { openErp } from "./erp.ts";
import { type Restart, restartServices } from "./restart-services.ts";
import { EVENTS, openSearchIndex, type SearchIndex } from "./search-index.ts";
import { openStorefront } from "./storefront.ts";

/** In each pair, one service may finish its requests and the other one is killed. */
const RESTARTS: readonly Restart[] = [
  { orders: "SIGKILL", content: "SIGTERM" },
  { gateway: "SIGTERM", webhooks: "SIGKILL" },
];

const PAUSE_MS = 50;
const STEPS_BETWEEN = 5;
const IMPORT_SIZE = 20;
const COMPARE_EVERY_MS = 200;
/** A webhook whose attempt was killed is sent again after its lock has expired. */
const AGREEMENT_TIMEOUT_MS = 3 * 60_000;

export async function runIntegrator(platform: Platform): Promise<void> {
  await using running = new AsyncDisposableStack();
  const folder = mkdtempSync(path.join(os.tmpdir(), "tradepost-integrator-"));
  running.defer(() => rmSync(folder, { recursive: true }));
  const name = `shop-${Date.now()}`;
  const key = integrationOf(platform);
  const owner = await signIn(platform);
  const { customerId } = platform.demo;

  heading("1. A storefront, an ERP and a search index start");
  await owner.contentTypes.put(ARTICLE_TYPE, ARTICLE);
  const storefront = openStorefront(key, { file: path.join(folder, "shop.db"), name, customerId });
  running.defer(storefront.close);
  await storefront.resume();
  const erpFile = path.join(folder, "erp.db");
  let erp = openErp(key, erpFile);
  const index = await openSearchIndex(
    path.join(folder, "search.db"),
    await receiverCertificate(platform.dataDir),
  );
  const subscription = await subscribe(index, owner);
  running.defer(index.close);
  running.defer(async () => void (await owner.subscriptions.delete(subscription.id)));
  await index.backfill(key);

  heading("2. All work while every service is restarted");
  let reading = new AbortController();
  let feed = erp.follow(reading.signal);
  const work = repeatAll([
    (number) => storefront.checkOut(number),
    (number) => {
      const ids = Array.from({ length: IMPORT_SIZE }, (_, line) => `${name}-import-${number}-${line}`);
      return erp.importOrders(`${name}-import-${number}`, ids, customerId);
    },
    (number) => writeArticle(key, name, number),
  ]);
  // Runs also after a failure, so that the program ends.
  running.defer(() => {
    work.stop();
    reading.abort();
  });
  // The first failure of any of them ends the demo.
  await Promise.race([restartAll(work.more), Promise.all([work.done, feed])]);

  heading("3. The ERP stops, and continues from its stored cursor");
  reading.abort();
  await feed;
  erp.close();
  erp = openErp(key, erpFile);
  reading = new AbortController();
  feed = erp.follow(reading.signal);
  await Promise.race([work.more(), Promise.all([work.done, feed])]);
  work.stop();
  await work.done;

  heading("4. All agree with the databases");
  const compareAll = () => compare(platform, { storefront, erp, index }, name);
  const comparisons = await Promise.race([untilEqual(compareAll), feed.then(compareAll)]);
  for (const { name: what, own, database, differences } of comparisons) {
    detail({ [what]: `${own} here, ${database} in the database, ${differences.length} differences` });
  }
  reading.abort();
  await feed;
  erp.close();
  const wrong = comparisons.flatMap(({ differences }) => differences);
  if (wrong.length > 0) throw new Error(`They do not agree:\n${wrong.slice(0, 20).join("\n")}`);
  print("\nAll three agree with the databases.");
  await proveByLedger(key, subscription.id, index);
}

/** Sends the entries' events to the index. */
async function subscribe(index: SearchIndex, owner: Tradepost) {
  const subscription = await owner.subscriptions.create({
    name: "Search index",
    url: index.url,
    events: EVENTS,
  });
  index.trust(subscription.signingSecret ?? "");
  return subscription;
}

type Step = (number: number) => Promise<unknown>;

/** Repeats each step, with an increasing number, until stopped. */
function repeatAll(steps: readonly Step[]) {
  const working = new AbortController();
  const repeated = steps.map((step) => repeat(step, working.signal));
  return {
    done: Promise.all(repeated.map(({ done }) => done)),
    /** Resolves after `STEPS_BETWEEN` further repetitions of each step. */
    more: () => Promise.all(repeated.map(({ more }) => more(STEPS_BETWEEN))),
    stop: () => working.abort(),
  };
}

/** Repeats a step, with an increasing number, until `signal` is aborted. `more` resolves after that many further steps. */
function repeat(step: Step, signal: AbortSignal) {
  let count = 0;
  const run = async () => {
    for (; !signal.aborted; count += 1) {
      await step(count);
      await sleep(PAUSE_MS);
    }
  };
  return {
    done: run(),
    more: async (steps: number) => {
      const goal = count + steps;
      await until("more steps", () => count >= goal);
    },
  };
}

/** Restarts all services, one pair at a time, with work before the first restart and after each. */
async function restartAll(work: () => Promise<unknown>): Promise<void> {
  await work();
  for (const restart of RESTARTS) {
    await restartServices(restart);
    await work();
  }
}

/** Resolves with the first comparison without differences, or with the last one before the deadline. */
async function untilEqual(look: () => Promise<Comparison[]>): Promise<Comparison[]> {
  const deadline = Date.now() + AGREEMENT_TIMEOUT_MS;
  for (;;) {
    const comparisons = await look();
    const isEqual = comparisons.every(({ differences }) => differences.length === 0);
    if (isEqual || Date.now() > deadline) return comparisons;
    await sleep(COMPARE_EVERY_MS);
  }
}

/** A webhook whose attempt was killed may have been accepted and not be recorded: it is sent again. Today's ledger is not closed. */
async function proveByLedger(key: Tradepost, subscriptionId: string, index: SearchIndex): Promise<void> {
  const day = new Date().toISOString().slice(0, 10);
  const compareDay = () => key.compareLedger({ subscriptionId, day, rows: index.received() });
  const deadline = Date.now() + AGREEMENT_TIMEOUT_MS;
  let found = await compareDay();
  for (; !found.isEqual && Date.now() < deadline; found = await compareDay()) await sleep(COMPARE_EVERY_MS);
  const { isEqual, received, digest, missing, unknown } = found;
  if (!isEqual)
    throw new Error(`The ledger of ${day} differs: ${missing.length} missing, ${unknown.length} unknown`);
  print(`The ledger of ${day} proves it: ${received} webhooks, digest ${digest.slice(0, 16)}…`);
}

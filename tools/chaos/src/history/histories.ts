// The histories of a run: clients and readers work next to the traffic, and what they saw is checked after the fault.
import { writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import type { TenantCredentials } from "@tradepost/devstack";
import { createSender, type FailedRequest } from "../send-requests.ts";
import { entryWorkload } from "./entry-workload.ts";
import { type FeedReader, feedFaults, startFeedReader } from "./feed-reader.ts";
import { leaseModel, startLeaseClients } from "./lease-clients.ts";
import { linearize, type Model, type Operation } from "./linearize.ts";
import type { OrderRequest, OrderResponse } from "./order-model.ts";
import { orderWorkload, type WorkedOrder } from "./order-workload.ts";
import type { Recorder } from "./record-operation.ts";
import { redirectWorkload } from "./redirect-workload.ts";
import { type History, startClients } from "./workload.ts";

type Histories = Awaited<ReturnType<typeof startHistories>>;
/** How much was checked: without anything to check, a run would find no fault. */
export type CheckedHistories = Omit<Awaited<ReturnType<Histories["stop"]>>, "faults">;

interface HistoriesOptions extends Pick<Recorder, "readsMayShowLost"> {
  readonly operationsPerSecond: number;
}

const FEED_READERS = 2;

export async function startHistories(
  url: string,
  tenant: TenantCredentials,
  failedRequests: FailedRequest[],
  { readsMayShowLost, operationsPerSecond }: HistoriesOptions,
) {
  const sender = createSender(url);
  const recorder = { sender, tenant, failedRequests, readsMayShowLost };
  const readers = await Promise.all(Array.from({ length: FEED_READERS }, () => startFeedReader(recorder)));
  const leaseClients = await startLeaseClients(recorder);
  const perKind = operationsPerSecond / 3;
  const orderClients = startClients(orderWorkload, recorder, perKind);
  const redirectClients = startClients(redirectWorkload, recorder, perKind);
  const entryClients = startClients(entryWorkload, recorder, perKind);
  return {
    stop: async () => {
      const [orders, redirects, entries, deliveries] = await Promise.all([
        orderClients.stop(),
        redirectClients.stop(),
        entryClients.stop(),
        leaseClients.stop(),
      ]);
      const timelines = new Map(orders.flatMap((history) => timelineOf(history) ?? []));
      const kinds = {
        order: await check("order", orderWorkload.model, orders),
        redirect: await check("redirect", redirectWorkload.model, redirects),
        entry: await check("entry", entryWorkload.model, entries),
        delivery: await check("delivery", leaseModel, deliveries),
      };
      const all = Object.values(kinds);
      const ofReaders = await faultsOfReaders(readers, timelines);
      await sender.close();
      return {
        checked: Object.fromEntries(Object.entries(kinds).map(([kind, { checked }]) => [kind, checked])),
        operations: all.reduce((sum, { responses }) => sum + responses, 0),
        timelines: timelines.size,
        /** Each history that is not linearizable or was not decided, and each gap of a feed reader. */
        faults: [...all.flatMap(({ faults }) => faults), ...ofReaders],
      };
    },
  };
}

async function check<State extends object, Request, Response>(
  kind: string,
  model: Model<State, Request, Response>,
  histories: readonly { resource: unknown; operations: readonly Operation<Request, Response>[] }[],
) {
  const faults: string[] = [];
  let [checked, responses] = [0, 0];
  for (const [index, { resource, operations }] of histories.entries()) {
    const answered = operations.filter(({ response }) => response !== null).length;
    checked += Number(answered > 0);
    responses += answered;
    const { outcome, order } = linearize(model, operations);
    if (outcome === "linearizable") continue;
    const file = path.join(tmpdir(), `tradepost-history-${process.pid}-${Date.now()}-${index}.json`);
    await writeFile(file, JSON.stringify({ kind, resource, operations, longestOrder: order }, null, 2));
    faults.push(`the history of ${/^[aeo]/.test(kind) ? "an" : "a"} ${kind} is ${outcome}: ${file}`);
  }
  return { checked, responses, faults };
}

async function faultsOfReaders(
  readers: readonly FeedReader[],
  timelines: ReadonlyMap<string, readonly string[]>,
): Promise<string[]> {
  const seen = await Promise.all(readers.map((reader) => reader.stop(timelines)));
  return seen.flatMap((one) => feedFaults(timelines, one));
}

function timelineOf({ resource, operations }: History<WorkedOrder, OrderRequest, OrderResponse>) {
  const last = operations.at(-1)?.response ?? null;
  if (resource.id === null || last === null || !("timeline" in last)) return null;
  return [[resource.id, last.timeline] as const];
}

import type { Publisher } from "@tradepost/messaging";
import { type Job, jobMessage } from "./job.ts";
import { DELIVERIES_QUEUE } from "./topology.ts";

/** Publishes to `webhooks.deliveries`. A job whose message the broker does not confirm is published again by the sweep. */
export async function publishJobs(publisher: Publisher, jobs: readonly Job[]): Promise<void> {
  await Promise.all(jobs.map((job) => publisher.publish(jobMessage(DELIVERIES_QUEUE, job))));
}

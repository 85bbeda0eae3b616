// Fills the queue of the webhooks service while it is down, and measures how fast the service delivers the backlog.
import type { BenchContext } from "./benches/bench.ts";
import { publishEvents } from "./publish-events.ts";

/** The events belong to the tenants in turn. The time counts from the first request to the last, so it excludes the start. */
export async function drainDeliveries(
  { platform, receivers, scale }: BenchContext,
  tenantIds: readonly string[],
) {
  const service = platform.process("webhooks");
  service.kill({ pause: true });
  await publishEvents(platform, scale.deliveries, tenantIds);
  const arriving = receivers.expect(scale.deliveries);
  await service.resume();
  const { count, firstAt, lastAt } = await arriving;
  await platform.untilReady();
  return { count, perSecond: (count / (lastAt - firstAt)) * 1_000 };
}

// Fills the webhooks service's queue while it is down, and takes the time that it needs to empty it.
import type { World } from "./bench-type.ts";
import { publishEvents } from "./publish-events.ts";

/** In: whose events, in turn. Out: from the first request to the last; what the service needs to start is not in it. */
export async function drainDeliveries({ platform, receivers, scale }: World, tenantIds: readonly string[]) {
  const service = platform.process("webhooks");
  service.kill({ pause: true });
  await publishEvents(platform, scale.deliveries, tenantIds);
  const arriving = receivers.expect(scale.deliveries);
  await service.resume();
  const { count, firstAt, lastAt } = await arriving;
  await platform.untilReady();
  return { count, perSecond: (count / (lastAt - firstAt)) * 1_000 };
}

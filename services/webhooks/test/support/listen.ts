// A listener of a tenant, with the requests of its client.
import type { Json, TestTenant } from "./webhooks.ts";

export type TestListener = Awaited<ReturnType<typeof listen>>;

/** Creates a listener for `redirect.added`. */
export async function listen(tenant: TestTenant, more: Record<string, unknown> = {}) {
  const { status, body } = await tenant
    .owner()
    .post("/v1/webhooks/listeners", { events: ["redirect.added"], ...more });
  if (status !== 201) throw new Error(`listener not created: ${status} ${JSON.stringify(body)}`);
  const { id, signingSecret } = body.data as { id: string; signingSecret: string };
  const path = `/v1/webhooks/listeners/${id}`;
  return {
    id,
    signingSecret,
    path,
    /** From the replica at `url`, or the first service. */
    lease: async (wanted: Record<string, number> = {}, url?: string): Promise<Json[]> => {
      const response = await tenant.owner(url).post(`${path}/lease`, wanted);
      if (response.status !== 200) throw new Error(`no lease: ${response.status} ${response.text}`);
      return response.body.data;
    },
    report: (deliveryId: string, result: unknown) =>
      tenant.owner().post(`${path}/deliveries/${deliveryId}/result`, result),
    read: async () => (await tenant.owner().get(path)).body.data,
  };
}

// The program of an integrator without a public address. It leases the deliveries of a listener, forwards each to an address on
// its own machine and reports the result. Arguments: the API's URL, an API key, the listener's id, the address.
const [url = "", key = "", listenerId = "", target = ""] = process.argv.slice(2);
const listener = `${url}/v1/webhooks/listeners/${listenerId}`;

interface Leased {
  readonly deliveryId: string;
  readonly attempt: number;
  readonly leaseId: string;
  readonly headers: Record<string, string>;
  readonly body: string;
}

async function post(path: string, body: unknown): Promise<unknown> {
  const response = await fetch(`${listener}/${path}`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  const { data } = (await response.json()) as { data: unknown };
  return data;
}

async function forward({ deliveryId, attempt, leaseId, headers, body }: Leased): Promise<void> {
  const startedAt = Date.now();
  const result = await fetch(target, { method: "POST", headers, body, redirect: "manual" }).then(
    async (response) => ({
      statusCode: response.status,
      responseBody: await response.text(),
      durationMs: Date.now() - startedAt,
    }),
    () => ({ outcome: "connection_refused" }),
  );
  await post(`deliveries/${deliveryId}/result`, { leaseId, attempt, ...result });
}

for (;;) {
  const leased = (await post("lease", { limit: 2, waitSeconds: 25 })) as Leased[];
  await Promise.all(leased.map(forward));
}

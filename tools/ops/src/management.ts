// Reads from RabbitMQ's management API.

/** Gets a path under /api; the URL carries the credentials. Throws an Error, with a message for the operator, on failure. */
export async function askManagement(managementUrl: string, path: string): Promise<unknown> {
  const url = new URL(managementUrl);
  const credentials = `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`;
  const response = await fetch(`${url.protocol}//${url.host}/api${path}`, {
    headers: { authorization: `Basic ${Buffer.from(credentials).toString("base64")}` },
  }).catch((cause: unknown) => {
    throw new Error(`RabbitMQ's management API at ${url.host} does not respond.`, { cause });
  });
  if (!response.ok) throw new Error(`RabbitMQ's management API responded ${response.status} to ${path}.`);
  return await response.json();
}

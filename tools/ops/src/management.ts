// Asks RabbitMQ's management API.

/** In: the management URL with credentials, and a path under /api. Throws an Error in words where it is refused. */
export async function askManagement(managementUrl: string, path: string): Promise<unknown> {
  const url = new URL(managementUrl);
  const credentials = `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`;
  const response = await fetch(`${url.protocol}//${url.host}/api${path}`, {
    headers: { authorization: `Basic ${Buffer.from(credentials).toString("base64")}` },
  }).catch((cause: unknown) => {
    throw new Error(`RabbitMQ's management API at ${url.host} does not answer.`, { cause });
  });
  if (!response.ok) throw new Error(`RabbitMQ's management API answered ${response.status} to ${path}.`);
  return await response.json();
}

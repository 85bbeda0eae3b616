import { DEFAULT_DATA_DIR } from "../settings/platform-settings.ts";
import type { PlatformFile } from "./platform-file.ts";

/** The commands to try that `npm start` prints when the platform is ready. */
export function nextSteps(
  { gatewayUrl, managementUrl, prometheus, demo }: PlatformFile,
  dataDir: string,
): string {
  const curl = (method: string, path: string, body: unknown) =>
    `curl -sS -w '\\n' -X ${method} ${gatewayUrl}${path} \\\n    -H 'Authorization: Bearer ${demo.apiKey}' \\\n` +
    `    -H 'Content-Type: application/json' \\\n    -d '${JSON.stringify(body)}'`;
  // Without this variable, the other commands look in the default directory.
  const where = dataDir === DEFAULT_DATA_DIR ? "" : `TRADEPOST_DATA_DIR='${dataDir}' `;
  const order = {
    customerId: demo.customerId,
    items: [{ sku: "TEA-100", name: "Tea", quantity: 2, unitPrice: 4.5 }],
  };
  return `
Dashboard: ${gatewayUrl}/dashboard
  Sign in as the demo's owner: ${demo.ownerEmail}  ${demo.ownerPassword}

Try next:

  Place an order
    ${curl("POST", "/v1/orders", order)}

  Read the latest order
    curl -sS -w '\\n' '${gatewayUrl}/v1/orders?limit=1' -H 'Authorization: Bearer ${demo.apiKey}'

  Create a redirect
    ${curl("POST", "/v1/redirects", { from: "/old", to: "/new" })}

  See a webhook arrive            ${where}npm run demo
  Look at the queues              ${where}npm run ops -- queues
${managementUrl === null ? "" : `  RabbitMQ's management page      ${managementPage(managementUrl)}\n`}${
  prometheus === undefined ? "" : `  Prometheus, with the alerts     ${prometheus.url}\n`
}
  Logs and addresses are in ${dataDir} (logs/, stack.json). Ctrl-C stops everything; the data stays.
`;
}

/** Removes the credentials from the address, because browsers ignore them. */
function managementPage(managementUrl: string): string {
  const { origin, username, password } = new URL(managementUrl);
  return `${origin}  user ${username}  password ${decodeURIComponent(password)}`;
}

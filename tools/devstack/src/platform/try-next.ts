// What `npm start` prints when everything is up: commands to paste.

import { DEFAULT_DATA_DIR } from "../settings/stack-settings.ts";
import type { Stack } from "./stack-file.ts";

export function tryNext({ gatewayUrl, managementUrl, demo }: Stack, dataDir: string): string {
  const call = (method: string, path: string, body: unknown) =>
    `curl -sS -X ${method} ${gatewayUrl}${path} \\\n    -H 'Authorization: Bearer ${demo.apiKey}' \\\n` +
    `    -H 'Content-Type: application/json' \\\n    -d '${JSON.stringify(body)}'`;
  // The other commands look for this stack where it is by default, unless told.
  const where = dataDir === DEFAULT_DATA_DIR ? "" : `TRADEPOST_DATA_DIR='${dataDir}' `;
  const order = {
    customerId: demo.customerId,
    items: [{ sku: "TEA-100", name: "Tea", quantity: 2, unitPrice: 4.5 }],
  };
  return `
Try next:

  Place an order
    ${call("POST", "/v1/orders", order)}

  Read it again (with its id in place of ID)
    curl -sS ${gatewayUrl}/v1/orders/ID -H 'Authorization: Bearer ${demo.apiKey}'

  Create a redirect
    ${call("POST", "/v1/redirects", { from: "/old", to: "/new" })}

  See a webhook arrive            ${where}npm run demo
  Look at the queues              ${where}npm run ops -- queues
  Sign in as the demo's owner     ${demo.ownerEmail}  ${demo.ownerPassword}
${managementUrl === null ? "" : `  RabbitMQ's management page      ${managementPage(managementUrl)}\n`}
  Logs and addresses are in ${dataDir} (logs/, stack.json). Ctrl-C stops everything; the data stays.
`;
}

/** Browsers do not take credentials from an address. */
function managementPage(managementUrl: string): string {
  const { origin, username, password } = new URL(managementUrl);
  return `${origin}  user ${username}  password ${decodeURIComponent(password)}`;
}

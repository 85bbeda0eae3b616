// The secrets of a local stack: made once, at the first start, and kept in a file only its owner can read.
import { randomBytes } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";

export interface StackSecrets {
  /** Shared by the gateway and one service each. */
  gatewaySecrets: { orders: string; content: string; webhooks: string };
  /** `<kid>:<base64 of 32 bytes>`. */
  tokenSigningKeys: string;
  /** Base64 of 32 bytes. */
  webhooksSealingKey: string;
  /** Of the role that owns the private databases. */
  databasePassword: string;
}

export function readStackSecrets(dataDir: string): StackSecrets {
  const file = path.join(dataDir, "secrets.json");
  if (!existsSync(file)) writeFileSync(file, `${JSON.stringify(makeSecrets(), null, 2)}\n`, { mode: 0o600 });
  return JSON.parse(readFileSync(file, "utf8")) as StackSecrets;
}

function makeSecrets(): StackSecrets {
  const key = () => randomBytes(32).toString("base64");
  return {
    gatewaySecrets: { orders: key(), content: key(), webhooks: key() },
    tokenSigningKeys: `${randomBytes(4).toString("hex")}:${key()}`,
    webhooksSealingKey: key(),
    databasePassword: randomBytes(24).toString("base64url"),
  };
}

// The secrets of a local stack: made once, at the first start, and kept in a file only its owner can read.
import { randomBytes } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { ServiceName } from "./stack-settings.ts";

export interface StackSecrets {
  /** Shared by the gateway and one service each. */
  gatewaySecrets: { orders: string; content: string; webhooks: string };
  /** `<kid>:<base64 of 32 bytes>`. */
  tokenSigningKeys: string;
  /** Base64 of 32 bytes. */
  webhooksSealingKey: string;
  /** Of the role that owns the private databases. */
  databasePassword: string;
  /** Of the role that each service logs in to its database as. */
  loginPasswords: Record<ServiceName, string>;
  /** Of each service's user of the broker. */
  brokerPasswords: Record<ServiceName, string>;
}

/** Secrets that an earlier version did not have are added to the file. */
export function readStackSecrets(dataDir: string): StackSecrets {
  const file = path.join(dataDir, "secrets.json");
  const known = existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")) as Partial<StackSecrets>) : {};
  const secrets = { ...makeSecrets(), ...known };
  if (Object.keys(known).length < Object.keys(secrets).length) {
    writeFileSync(file, `${JSON.stringify(secrets, null, 2)}\n`, { mode: 0o600 });
  }
  return secrets;
}

function makeSecrets(): StackSecrets {
  const key = () => randomBytes(32).toString("base64");
  const password = () => randomBytes(24).toString("base64url");
  const passwords = () => ({
    gateway: password(),
    orders: password(),
    content: password(),
    webhooks: password(),
  });
  return {
    gatewaySecrets: { orders: key(), content: key(), webhooks: key() },
    tokenSigningKeys: `${randomBytes(4).toString("hex")}:${key()}`,
    webhooksSealingKey: key(),
    databasePassword: password(),
    loginPasswords: passwords(),
    brokerPasswords: passwords(),
  };
}

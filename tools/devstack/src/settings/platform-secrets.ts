// The secrets of a local platform: created at the first start and saved in a file that only its owner can read.
import { randomBytes } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { forEachService } from "./platform-settings.ts";

export interface PlatformSecrets extends ReturnType<typeof createSecrets> {
  /** `<id>:<base64 of 32 bytes>`, comma-separated; added by hand to replace the key. */
  webhooksSealingKeys?: string;
}

/** Adds missing secrets to the file, because an earlier version did not have them. */
export function readPlatformSecrets(dataDir: string): PlatformSecrets {
  const file = path.join(dataDir, "secrets.json");
  const saved = existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")) as Partial<PlatformSecrets>) : {};
  const secrets = { ...createSecrets(), ...saved };
  if (Object.keys(saved).length < Object.keys(secrets).length) {
    writeFileSync(file, `${JSON.stringify(secrets, null, 2)}\n`, { mode: 0o600 });
  }
  return secrets;
}

function createSecrets() {
  const key = () => randomBytes(32).toString("base64");
  return {
    /** Each is shared by the gateway and the service. */
    gatewaySecrets: { orders: key(), content: key(), webhooks: key() },
    /** `<kid>:<base64 of 32 bytes>`. */
    tokenSigningKeys: `${randomBytes(4).toString("hex")}:${key()}`,
    webhooksSealingKey: key(),
    mediaLinkSecrets: key(),
    databasePassword: newPassword(),
    loginPasswords: forEachService(newPassword),
    brokerPasswords: forEachService(newPassword),
  };
}

/** The first call creates the password. */
export function savedPassword(dataDir: string): string {
  const file = path.join(dataDir, "password");
  if (!existsSync(file)) writeFileSync(file, newPassword(), { mode: 0o600 });
  return readFileSync(file, "utf8");
}

function newPassword(): string {
  return randomBytes(24).toString("base64url");
}

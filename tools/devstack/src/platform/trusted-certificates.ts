// The certificate authority of a local platform. Webhooks are sent only over HTTPS, so it signs the certificates of receivers on
// this machine.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { createAuthority } from "@tradepost/testing";

/**
 * Creates `<dataDir>/ca/authority.crt` and `.key` unless they exist. Resolves to a file of all certificates that the
 * webhooks service trusts in addition to the well-known ones. Rejects when `extraFile` cannot be read.
 */
export async function trustedCertificates(dataDir: string, extraFile: string | undefined): Promise<string> {
  const directory = path.join(dataDir, "ca");
  const certificateFile = path.join(directory, "authority.crt");
  if (!existsSync(certificateFile)) {
    const authority = await createAuthority();
    mkdirSync(directory, { recursive: true });
    writeFileSync(path.join(directory, "authority.key"), authority.key, { mode: 0o600 });
    writeFileSync(certificateFile, authority.certificate);
  }
  const extra = extraFile === undefined ? "" : readFileSync(extraFile, "utf8");
  const trusted = path.join(directory, "trusted.crt");
  writeFileSync(trusted, `${readFileSync(certificateFile, "utf8").trim()}\n${extra}`);
  return trusted;
}

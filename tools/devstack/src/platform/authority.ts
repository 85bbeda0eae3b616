// The certificate authority of a local platform, which its gateway and its webhooks service trust.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { createAuthority, issueCertificate } from "@tradepost/testing";

const filesIn = (dataDir: string) => ({
  certificateFile: path.join(dataDir, "ca/authority.crt"),
  keyFile: path.join(dataDir, "ca/authority.key"),
});

/**
 * Creates the authority unless it exists. Resolves to a file of the certificates that are trusted in addition to the well-known ones.
 * Rejects when `extraFile` cannot be read.
 */
export async function trustedCertificates(dataDir: string, extraFile: string | undefined): Promise<string> {
  const { certificateFile, keyFile } = filesIn(dataDir);
  if (!existsSync(certificateFile)) {
    const authority = await createAuthority();
    mkdirSync(path.dirname(certificateFile), { recursive: true });
    writeFileSync(keyFile, authority.key, { mode: 0o600 });
    writeFileSync(certificateFile, authority.certificate);
  }
  const extra = extraFile === undefined ? "" : readFileSync(extraFile, "utf8");
  const trusted = path.join(dataDir, "ca/trusted.crt");
  writeFileSync(trusted, `${readFileSync(certificateFile, "utf8").trim()}\n${extra}`);
  return trusted;
}

/** Issues a certificate for a receiver of the platform's webhooks. */
export async function receiverCertificate(dataDir: string, names = ["localhost", "127.0.0.1"]) {
  const { certificateFile, keyFile } = filesIn(dataDir);
  const certificate = readFileSync(certificateFile, "utf8");
  return await issueCertificate({ certificate, key: readFileSync(keyFile, "utf8") }, names);
}

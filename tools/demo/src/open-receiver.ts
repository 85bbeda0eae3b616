// Starts the demo's HTTPS receiver with a certificate from the local authority, which `npm start` trusts.
import { readFileSync } from "node:fs";
import path from "node:path";
import { issueCertificate, type Receiver, startReceiver } from "@tradepost/testing";

export async function openReceiver(dataDir: string): Promise<Receiver> {
  return await startReceiver(await receiverCertificate(dataDir));
}

/** A certificate for `localhost`, and its key, in PEM. */
async function receiverCertificate(dataDir: string): Promise<{ certificate: string; key: string }> {
  const read = (file: string) => readFileSync(path.join(dataDir, "ca", file), "utf8");
  const authority = { certificate: read("authority.crt"), key: read("authority.key") };
  return await issueCertificate(authority, ["localhost", "127.0.0.1"]);
}

// Starts the demo's HTTPS receiver with a certificate from the local authority, which `npm start` trusts.
import { readFileSync } from "node:fs";
import path from "node:path";
import { issueCertificate, type Receiver, startReceiver } from "@tradepost/testing";

export async function openReceiver(dataDir: string): Promise<Receiver> {
  const read = (file: string) => readFileSync(path.join(dataDir, "ca", file), "utf8");
  const authority = { certificate: read("authority.crt"), key: read("authority.key") };
  return await startReceiver(await issueCertificate(authority, ["localhost", "127.0.0.1"]));
}

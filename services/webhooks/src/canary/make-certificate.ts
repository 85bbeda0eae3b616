// A certificate for the canary's listener, which vouches for itself: made at each start, its key never written down.
import "reflect-metadata"; // The X.509 library asks for it to be loaded first.
import { webcrypto } from "node:crypto";
import * as x509 from "@peculiar/x509";

const ALGORITHM = { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" };
const DAY_MS = 86_400_000;
// Longer than a process runs.
const VALID_DAYS = 3_650;

/** In: the name it is for. Out: certificate and key, both as PEM. */
export async function makeCertificate(name: string): Promise<{ certificate: string; key: string }> {
  const keys = await webcrypto.subtle.generateKey(ALGORITHM, true, ["sign", "verify"]);
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    name: "CN=Tradepost canary",
    // From a day ago: a clock may be set back a little while we run.
    notBefore: new Date(Date.now() - DAY_MS),
    notAfter: new Date(Date.now() + VALID_DAYS * DAY_MS),
    signingAlgorithm: ALGORITHM,
    keys,
    extensions: [
      new x509.BasicConstraintsExtension(false, undefined, true),
      new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.serverAuth]),
      new x509.SubjectAlternativeNameExtension([{ type: "dns", value: name }]),
    ],
  });
  const key = await webcrypto.subtle.exportKey("pkcs8", keys.privateKey);
  return { certificate: certificate.toString("pem"), key: x509.PemConverter.encode(key, "PRIVATE KEY") };
}

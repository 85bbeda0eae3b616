// A certificate authority for one machine, which the webhooks service trusts through NODE_EXTRA_CA_CERTS.
import { webcrypto } from "node:crypto";
import { readFile } from "node:fs/promises";
import { isIP } from "node:net";
import { readSettings } from "@tradepost/runtime";
import { z } from "zod";

export interface Certificate {
  certificate: string;
  key: string;
}

const ALGORITHM = { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" };
const DAY_MS = 86_400_000;

/** Creates an authority for certificates of servers, valid for ten years. */
export async function createAuthority(): Promise<Certificate> {
  const x509 = await loadX509();
  const keys = await webcrypto.subtle.generateKey(ALGORITHM, true, ["sign", "verify"]);
  const usage = x509.KeyUsageFlags.keyCertSign | x509.KeyUsageFlags.cRLSign;
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    name: "CN=Tradepost local authority",
    ...validFor(3650),
    signingAlgorithm: ALGORITHM,
    keys,
    extensions: [
      new x509.BasicConstraintsExtension(true, 0, true),
      new x509.KeyUsagesExtension(usage, true),
      await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
    ],
  });
  return { certificate: certificate.toString("pem"), key: await exportKey(keys.privateKey) };
}

/** For DNS names or IP addresses. A negative `validDays` makes an expired certificate. */
export async function issueCertificate(
  authority: Certificate,
  names: string[],
  validDays = 365,
): Promise<Certificate> {
  const x509 = await loadX509();
  const issuer = new x509.X509Certificate(authority.certificate);
  const issuerKey = x509.PemConverter.decodeFirst(authority.key);
  const signingKey = await webcrypto.subtle.importKey("pkcs8", issuerKey, ALGORITHM, false, ["sign"]);
  const keys = await webcrypto.subtle.generateKey(ALGORITHM, true, ["sign", "verify"]);
  const certificate = await x509.X509CertificateGenerator.create({
    subject: "CN=Tradepost local server",
    issuer: issuer.subject,
    ...validFor(validDays),
    signingAlgorithm: ALGORITHM,
    signingKey,
    publicKey: keys.publicKey,
    extensions: [
      new x509.BasicConstraintsExtension(false, undefined, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature, true),
      new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.serverAuth]),
      new x509.SubjectAlternativeNameExtension(
        names.map((name) => ({ type: isIP(name) === 0 ? "dns" : "ip", value: name })),
      ),
      await x509.AuthorityKeyIdentifierExtension.create(issuer.publicKey),
      await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
    ],
  });
  return { certificate: certificate.toString("pem"), key: await exportKey(keys.privateKey) };
}

/** The validity begins a day ago, because the clocks of two machines may differ. */
function validFor(days: number): { notBefore: Date; notAfter: Date } {
  return { notBefore: new Date(Date.now() - DAY_MS), notAfter: new Date(Date.now() + days * DAY_MS) };
}

/** Loading the library takes longer than the rest of this package. */
async function loadX509() {
  await import("reflect-metadata"); // The library requires this module to be loaded first.
  return await import("@peculiar/x509");
}

async function exportKey(key: webcrypto.CryptoKey): Promise<string> {
  const { PemConverter } = await loadX509();
  return PemConverter.encode(await webcrypto.subtle.exportKey("pkcs8", key), "PRIVATE KEY");
}

const settings = z.object({ TEST_CA_CERT_FILE: z.string(), TEST_CA_KEY_FILE: z.string() });

/**
 * Issues a certificate, by default for localhost, from the authority of `npm test`.
 *
 * @throws SettingsError outside `npm test`.
 */
export async function testCertificate(names = ["localhost", "127.0.0.1"], validDays?: number) {
  const { TEST_CA_CERT_FILE, TEST_CA_KEY_FILE } = readSettings(settings);
  const authority = {
    certificate: await readFile(TEST_CA_CERT_FILE, "utf8"),
    key: await readFile(TEST_CA_KEY_FILE, "utf8"),
  };
  return await issueCertificate(authority, names, validDays);
}

// A certificate authority for one machine. It issues the certificates of webhook receivers in tests and in the demo; the
// webhooks service trusts it through NODE_EXTRA_CA_CERTS.
import { webcrypto } from "node:crypto";
import { isIP } from "node:net";

/** A certificate and its private key, both in PEM. */
export interface Certificate {
  certificate: string;
  key: string;
}

const ALGORITHM = { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" };
const DAY_MS = 86_400_000;

/** Creates an authority that is valid for ten years. It may sign certificates of servers, but not of other authorities. */
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

/**
 * Issues a server certificate for at least one DNS name or IP address. It is valid from one day ago until `validDays` from now; a
 * negative number makes an expired certificate.
 */
export async function issueCertificate(
  authority: Certificate,
  names: string[],
  validDays = 365,
): Promise<Certificate> {
  const x509 = await loadX509();
  const issuer = new x509.X509Certificate(authority.certificate);
  const keys = await webcrypto.subtle.generateKey(ALGORITHM, true, ["sign", "verify"]);
  const certificate = await x509.X509CertificateGenerator.create({
    subject: "CN=Tradepost local server",
    issuer: issuer.subject,
    ...validFor(validDays),
    signingAlgorithm: ALGORITHM,
    signingKey: await importKey(authority.key),
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

/** The period begins a day ago, because the clocks of two machines may differ. */
function validFor(days: number): { notBefore: Date; notAfter: Date } {
  return { notBefore: new Date(Date.now() - DAY_MS), notAfter: new Date(Date.now() + days * DAY_MS) };
}

/** Loads the library on first use, because loading it takes longer than the rest of this package. */
async function loadX509() {
  await import("reflect-metadata"); // The library requires this module to be loaded first.
  return await import("@peculiar/x509");
}

async function exportKey(key: webcrypto.CryptoKey): Promise<string> {
  const { PemConverter } = await loadX509();
  return PemConverter.encode(await webcrypto.subtle.exportKey("pkcs8", key), "PRIVATE KEY");
}

async function importKey(pem: string): Promise<webcrypto.CryptoKey> {
  const { PemConverter } = await loadX509();
  const key = PemConverter.decodeFirst(pem);
  return await webcrypto.subtle.importKey("pkcs8", key, ALGORITHM, false, ["sign"]);
}

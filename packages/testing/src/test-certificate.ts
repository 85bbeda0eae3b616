// Certificates that Node trusts during `npm test`.
import { readFile } from "node:fs/promises";
import { readSettings } from "@tradepost/runtime";
import { z } from "zod";
import { issueCertificate } from "./certificate-authority.ts";

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

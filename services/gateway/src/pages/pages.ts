// The door of this wing: the files that browsers and integrators get, read once and served from memory.
import { readFile } from "node:fs/promises";
import { type ApiResponse, type Page, staticFile } from "@tradepost/http";
import type { Settings } from "../config.ts";
import { type ApiDescription, CACHE_CONTROL, readApiDescription } from "./api-description.ts";
import { readDashboard } from "./dashboard-pages.ts";
import { type Documents, documents } from "./documents/documents.ts";
import { readReferencePage } from "./reference-page.ts";

export { type DescriptionContext, descriptionRoutes } from "./api-description.ts";

export async function readPages(
  settings: Pick<Settings, "PROXY_HOPS" | "DASHBOARD_DIR" | "CLIENT_PACKAGE_FILE" | "SECURITY_CONTACT">,
): Promise<{ pages: Page[]; apiDescription: ApiDescription; documents: Documents }> {
  const [apiDescription, ...pages] = await Promise.all([
    readApiDescription(settings.PROXY_HOPS),
    readReferencePage(),
    readDashboard(settings.DASHBOARD_DIR),
    readClientPackage(settings.CLIENT_PACKAGE_FILE),
  ]);
  return {
    pages: [ROOT, ...securityTxt(settings.SECURITY_CONTACT), ...pages.flat()],
    apiDescription,
    documents: documents(),
  };
}

/** A person who opens the gateway's address gets the dashboard. Programs get 404. */
const ROOT: Page = {
  path: "/",
  find: (_, { headers }) => (headers.accept?.includes("text/html") ? toDashboard : undefined),
};

const toDashboard = async (): Promise<ApiResponse> => ({
  status: 302,
  headers: { location: "/dashboard", vary: "Accept" },
  bytes: Buffer.alloc(0),
});

/** For `npm install <gateway>/client.tgz`. Without a file there is no page. */
async function readClientPackage(file: string | undefined): Promise<Page[]> {
  if (file === undefined) return [];
  const bytes = await readFile(file).catch((error: unknown) => {
    throw new Error(`CLIENT_PACKAGE_FILE: ${file} cannot be read; pack the client first.`, { cause: error });
  });
  const tarball = staticFile(bytes, {
    "content-type": "application/gzip",
    "cache-control": CACHE_CONTROL,
    "cross-origin-resource-policy": "same-origin",
  });
  return [{ path: "/client.tgz", find: () => tarball }];
}

// A reader should not trust a contact for much longer (RFC 9116 recommends less than a year).
const EXPIRES_DAYS = 180;
const DAY_MS = 24 * 3_600_000;

/** Where to report vulnerabilities. Without a contact there is no page. */
function securityTxt(contact: string | undefined): Page[] {
  if (contact === undefined) return [];
  const find = () => {
    const expires = new Date((Math.floor(Date.now() / DAY_MS) + EXPIRES_DAYS) * DAY_MS);
    const text = `Contact: ${contact}\nExpires: ${expires.toISOString()}\nPreferred-Languages: en\n`;
    return staticFile(Buffer.from(text), {
      "content-type": "text/plain; charset=utf-8",
      "cache-control": CACHE_CONTROL,
    });
  };
  return [{ path: "/.well-known/security.txt", find }];
}

// The door of this wing: the files that browsers and integrators get, read once and served from memory.
import { readFile } from "node:fs/promises";
import { type ApiResponse, type Page, staticFile } from "@tradepost/http";
import type { Settings } from "../config.ts";
import { type ApiDescription, CACHE_CONTROL, readApiDescription } from "./api-description.ts";
import { readDashboard } from "./dashboard-pages.ts";
import { readReferencePage } from "./reference-page.ts";

export { type DescriptionContext, descriptionRoutes } from "./api-description.ts";

/** Rejects if a file is missing. */
export async function readPages(
  settings: Pick<Settings, "PROXY_HOPS" | "DASHBOARD_DIR" | "CLIENT_PACKAGE_FILE">,
): Promise<{ pages: Page[]; apiDescription: ApiDescription }> {
  const [apiDescription, ...pages] = await Promise.all([
    readApiDescription(settings.PROXY_HOPS),
    readReferencePage(),
    readDashboard(settings.DASHBOARD_DIR),
    readClientPackage(settings.CLIENT_PACKAGE_FILE),
  ]);
  return { pages: [ROOT, ...pages.flat()], apiDescription };
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

// The dashboard: static files under /dashboard (interface §15), read once, so that no path of a request reaches the file system.
//
// The page has the gateway's own origin, because it uses the refresh cookie. So its policy allows no inline style, no request to
// another origin, no text that becomes HTML, and only one inline script: the build's, by its hash.
import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import type { Page, StaticFile } from "@tradepost/http";
import { staticFile } from "@tradepost/http";

const PATH = "/dashboard";
const SIGN_IN_LINK = `${PATH}/sign-in-link`;
const INDEX = "index.html";
const ASSETS = "assets";
const BROTLI = ".br";

const policyOf = (scripts: string) => [
  "default-src 'none'",
  `script-src ${scripts}`,
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
];

const PAGE_HEADERS = {
  "content-type": "text/html; charset=utf-8",
  "cache-control": "no-cache",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "referrer-policy": "no-referrer",
};

// The names of assets contain a hash of their content.
const ASSET_HEADERS = {
  "cache-control": "public, max-age=31536000, immutable",
  "cross-origin-resource-policy": "same-origin",
};

const CONTENT_TYPES: Readonly<Record<string, string>> = {
  ".css": "text/css; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".svg": "image/svg+xml",
};

/**
 * Without a directory there are no pages. Any path that is not an asset gets the page, which shows the screen with that address.
 *
 * Rejects if the directory has no page, no assets, or an asset of an unknown type.
 */
export async function readDashboard(directory: string | undefined): Promise<Page[]> {
  if (directory === undefined) return [];
  const page = await readPage(directory);
  const assets = await readAssets(directory);
  return [
    { path: PATH, find: () => page },
    { path: `${PATH}/${ASSETS}/*name`, find: ({ name = "" }) => assets.get(name) },
    // Not a screen, but a route of the gateway where SIGN_IN_LINKS allows it.
    { path: SIGN_IN_LINK, find: () => undefined },
    { path: `${PATH}/*screen`, find: () => page },
  ];
}

async function readPage(directory: string): Promise<StaticFile> {
  const file = path.join(directory, INDEX);
  const html = await readFile(file, "utf8").catch(missing(directory, INDEX));
  const policy = policyOf(["'self'", ...scriptHashes(html)].join(" ")).join("; ");
  return await readStaticFile(file, { ...PAGE_HEADERS, "content-security-policy": policy });
}

function scriptHashes(html: string): string[] {
  return [...html.matchAll(/<script>(.*?)<\/script>/gs)].map(
    ([, script = ""]) => `'sha256-${createHash("sha256").update(script).digest("base64")}'`,
  );
}

async function readAssets(directory: string): Promise<Map<string, StaticFile>> {
  const folder = path.join(directory, ASSETS);
  const files = await readdir(folder).catch(missing(directory, ASSETS));
  const names = files.filter((name) => !name.endsWith(BROTLI));
  const read = async (name: string) => {
    const contentType = CONTENT_TYPES[path.extname(name)];
    if (contentType === undefined) throw new Error(`DASHBOARD_DIR: ${name} has an unknown type.`);
    const headers = { ...ASSET_HEADERS, "content-type": contentType };
    return [name, await readStaticFile(path.join(folder, name), headers)] as const;
  };
  return new Map(await Promise.all(names.map(read)));
}

function missing(directory: string, name: string) {
  return (error: unknown): never => {
    throw new Error(`DASHBOARD_DIR: ${directory} has no ${name}; build the dashboard first.`, {
      cause: error,
    });
  };
}

async function readStaticFile(file: string, headers: Readonly<Record<string, string>>): Promise<StaticFile> {
  const [bytes, brotli] = await Promise.all([readFile(file), readFile(file + BROTLI).catch(() => undefined)]);
  return staticFile(bytes, headers, brotli);
}

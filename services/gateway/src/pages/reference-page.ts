// The API reference: Swagger UI on /docs, with the description of GET /v1/openapi.json (interface §11).
//
// The page has an origin of its own (`sandbox` without `allow-same-origin`): 400 KB of foreign script run in it, and must not
// reach the refresh cookie. A key that is typed in stays in the page's memory. `'self'` is still the gateway's origin, because it
// follows from the page's address. HTML forbids `Cross-Origin-Opener-Policy` together with a sandbox.
import { contentHash, type Page, staticFile } from "@tradepost/http";
import { type FileName, readServedFile } from "./served-files.ts";

const PATH = "/docs";

const CONTENT_SECURITY_POLICY = [
  "sandbox allow-scripts allow-forms allow-popups allow-downloads",
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  // Swagger UI's style sheet contains its icons.
  "img-src data:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

const PAGE_HEADERS = {
  "content-type": "text/html; charset=utf-8",
  "cache-control": "no-cache",
  "content-security-policy": CONTENT_SECURITY_POLICY,
  "referrer-policy": "no-referrer",
};

// The names of assets contain a hash of their content.
const ASSET_HEADERS = {
  "cache-control": "public, max-age=31536000, immutable",
  // To the sandboxed page, the gateway is another origin.
  "cross-origin-resource-policy": "cross-origin",
};

const STYLES = ["swagger-ui.css", "page.css"] as const;
const SCRIPTS = ["swagger-ui-bundle.js", "start.js"] as const;

export async function readReferencePage(): Promise<Page[]> {
  const [styles, scripts] = await Promise.all([
    Promise.all(STYLES.map((name) => readAsset(name, "text/css; charset=utf-8"))),
    Promise.all(SCRIPTS.map((name) => readAsset(name, "text/javascript; charset=utf-8"))),
  ]);
  const page = staticFile(Buffer.from(html(styles, scripts)), PAGE_HEADERS);
  const assets = new Map([...styles, ...scripts].map(({ name, file }) => [name, file]));
  return [
    { path: PATH, find: () => page },
    { path: `${PATH}/assets/:name`, find: ({ name = "" }) => assets.get(name) },
  ];
}

type Asset = Awaited<ReturnType<typeof readAsset>>;

async function readAsset(fileName: FileName, contentType: string) {
  const bytes = await readServedFile(fileName);
  const name = fileName.replace(/(?=\.\w+$)/, `.${contentHash(bytes)}`);
  return { name, file: staticFile(bytes, { ...ASSET_HEADERS, "content-type": contentType }) };
}

function html(styles: readonly Asset[], scripts: readonly Asset[]): string {
  const links = styles.map(({ name }) => `<link rel="stylesheet" href="${PATH}/assets/${name}">`);
  const tags = scripts.map(({ name }) => `<script src="${PATH}/assets/${name}" defer></script>`);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Tradepost API reference</title>
<link rel="icon" href="data:,">
${links.join("\n")}
${tags.join("\n")}
</head>
<body>
<noscript>This page needs JavaScript. The same description is at <a href="/v1/openapi.json">/v1/openapi.json</a>.</noscript>
<div id="reference"></div>
</body>
</html>
`;
}

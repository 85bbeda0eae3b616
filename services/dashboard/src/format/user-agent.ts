const BROWSERS = [
  // Specific browsers come first, because their headers also contain the names of the others.
  { name: "Edge", pattern: /\bEdgA?\/|\bEdgiOS\// },
  { name: "Opera", pattern: /\bOPR\/|\bOPT\// },
  { name: "Samsung Internet", pattern: /\bSamsungBrowser\// },
  { name: "Firefox", pattern: /\bFirefox\/|\bFxiOS\// },
  { name: "Chrome", pattern: /\b(Headless)?Chrome\/|\bCriOS\// },
  { name: "Safari", pattern: /\bSafari\// },
] as const;

const SYSTEMS = [
  { name: "iPhone", pattern: /iPhone/ },
  { name: "iPad", pattern: /iPad/ },
  { name: "Android", pattern: /Android/ },
  { name: "Windows", pattern: /Windows/ },
  { name: "macOS", pattern: /Mac OS X|Macintosh/ },
  { name: "ChromeOS", pattern: /CrOS/ },
  { name: "Linux", pattern: /Linux|X11/ },
] as const;

const CHARACTERS_MAX = 60;

/** `Firefox on Windows`, `curl 8.5.0`; for any other program the header itself, shortened. */
export function programOf(userAgent: string | null): string {
  const header = userAgent?.trim() ?? "";
  if (header === "") return "Unknown program";
  const browser = BROWSERS.find(({ pattern }) => pattern.test(header));
  if (browser === undefined || !header.startsWith("Mozilla/")) return cut(productOf(header));
  const system = SYSTEMS.find(({ pattern }) => pattern.test(header));
  return system === undefined ? browser.name : `${browser.name} on ${system.name}`;
}

function productOf(header: string): string {
  const [, name, version] = /^([\w.-]+)\/([\w.-]+)/.exec(header) ?? [];
  return name === undefined || name === "Mozilla" ? header : `${name} ${version}`;
}

function cut(text: string): string {
  return text.length > CHARACTERS_MAX ? `${text.slice(0, CHARACTERS_MAX)}…` : text;
}

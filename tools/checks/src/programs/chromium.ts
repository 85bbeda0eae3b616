// Finds a Chromium for tests of pages: an installed one, or the package of Debian and its derivatives, unpacked into a cache.
import { chmodSync, existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { unpackedPackages } from "@tradepost/devstack";

const INSTALLED = [
  "/usr/bin/chromium",
  "/usr/bin/google-chrome",
  "/usr/bin/google-chrome-stable",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  "/Applications/Chromium.app/Contents/MacOS/Chromium",
];
// The version without a window is 30 MB smaller and needs neither GTK nor a display.
const PACKAGE = "chromium-headless-shell";
const PROGRAM = "usr/lib/chromium/chromium-headless-shell";
const FONTS = "fonts-liberation";
const SCRIPT = "run-chromium";

/**
 * Undefined if Chromium is neither installed nor available as a package. The first call downloads 90 MB. Rejects when the packages
 * cannot be fetched.
 */
export async function findChromium(log: (line: string) => void): Promise<string | undefined> {
  const installed = INSTALLED.find((file) => existsSync(file));
  if (installed !== undefined) return installed;
  const packages = { name: "chromium", install: PACKAGE, also: async () => [FONTS], finish: addScript };
  const unpacked = await unpackedPackages(packages, log);
  return unpacked && path.join(unpacked.tree, SCRIPT);
}

/** Adds a script that runs the program with its libraries and fonts. */
function addScript(tree: string): void {
  const libraries = libraryDirectories(tree).map((directory) => `$tree/${directory}`);
  const fonts = path.join(tree, "fonts");
  mkdirSync(fonts);
  writeFileSync(path.join(fonts, "fonts.conf"), FONT_CONFIGURATION);
  const script = path.join(tree, SCRIPT);
  writeFileSync(
    script,
    `#!/bin/sh
tree="$(dirname "$(readlink -f "$0")")"
export LD_LIBRARY_PATH="${libraries.join(":")}"
export FONTCONFIG_FILE="$tree/fonts/fonts.conf"
exec "$tree/${PROGRAM}" "$@"
`,
  );
  chmodSync(script, 0o755);
}

/** Some packages keep libraries in their own directories (`pulseaudio`). */
function libraryDirectories(tree: string): string[] {
  const roots = ["lib", "usr/lib"].filter((root) => existsSync(path.join(tree, root)));
  const directories = roots
    .flatMap((root) => readdirSync(path.join(tree, root)).map((name) => `${root}/${name}`))
    .filter((directory) => directory.endsWith("-linux-gnu"));
  return directories.flatMap((directory) => {
    const entries = readdirSync(path.join(tree, directory), { withFileTypes: true });
    return [directory, ...entries.flatMap((one) => (one.isDirectory() ? `${directory}/${one.name}` : []))];
  });
}

// Uses only the fonts of the tree, so that pages look the same on every machine.
const FONT_CONFIGURATION = `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir prefix="relative">../usr/share/fonts</dir>
  <cachedir prefix="xdg">fontconfig</cachedir>
  <alias><family>sans-serif</family><prefer><family>Liberation Sans</family></prefer></alias>
  <alias><family>system-ui</family><prefer><family>Liberation Sans</family></prefer></alias>
  <alias><family>serif</family><prefer><family>Liberation Serif</family></prefer></alias>
  <alias><family>monospace</family><prefer><family>Liberation Mono</family></prefer></alias>
</fontconfig>
`;

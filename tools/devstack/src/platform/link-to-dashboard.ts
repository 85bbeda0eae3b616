// The last line of `npm start`: the dashboard's address, as a link that signs the demo's owner in.
import { spawn } from "node:child_process";
import { staffAccess } from "@tradepost/gateway/operate";
import { withGateway } from "./create-tenants.ts";
import type { PlatformFile } from "./platform-file.ts";

/** The plain address if the demo's owner has a second factor, is inactive or was removed. */
export async function linkToDashboard({ gatewayUrl, databases, demo }: PlatformFile) {
  try {
    const { token } = await withGateway(databases.gateway, (db) =>
      staffAccess.makeSignInLinkFor(db, demo.ownerEmail),
    );
    const url = `${gatewayUrl}/dashboard/sign-in-link?token=${token}`;
    return { url, sentence: `Open the dashboard, signed in (once, within 10 minutes): ${url}` };
  } catch {
    const url = `${gatewayUrl}/dashboard`;
    return { url, sentence: `Open the dashboard: ${url}` };
  }
}

/** Does not wait for the browser, and says so if there is none. */
export function openInBrowser(url: string, log: (line: string) => void): void {
  const [command, ...args] = OPENERS[process.platform] ?? ["xdg-open"];
  const opener = spawn(command, [...args, url], { stdio: "ignore", detached: true });
  const fail = () => log("No browser could be opened: open the link yourself.");
  opener.once("error", fail);
  opener.once("exit", (code) => code !== 0 && fail());
  opener.unref();
}

const OPENERS: Readonly<Partial<Record<NodeJS.Platform, readonly [string, ...string[]]>>> = {
  darwin: ["open"],
  win32: ["cmd", "/c", "start", ""],
};

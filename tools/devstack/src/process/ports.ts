// Chooses TCP ports on 127.0.0.1 for the servers and services, and keeps them from one start to the next.
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import net from "node:net";
import { freePort, isPortFree } from "@tradepost/testing";

/**
 * Returns one free port for each name and saves the choice in `file`. A port that an earlier call saved there is used
 * again if it is free. Throws when no port of the range is free.
 */
export async function claimPorts<Name extends string>(
  file: string,
  names: Name[],
): Promise<Record<Name, number>> {
  const saved = readSaved(file);
  const claimed: Record<string, number> = {};
  for (const name of names) {
    const before = saved[name];
    claimed[name] = before !== undefined && (await isPortFree(before)) ? before : await freePort();
  }
  writeFileSync(file, JSON.stringify(claimed), { mode: 0o600 });
  return claimed as Record<Name, number>;
}

/** Whether a port of 127.0.0.1 accepts connections. */
export async function isListening(port: number): Promise<boolean> {
  const socket = net.connect({ port, host: "127.0.0.1" });
  const isConnected = once(socket, "connect").then(
    () => true,
    () => false,
  );
  return await isConnected.finally(() => socket.destroy());
}

function readSaved(file: string): Record<string, number> {
  try {
    return JSON.parse(readFileSync(file, "utf8")) as Record<string, number>;
  } catch {
    return {};
  }
}

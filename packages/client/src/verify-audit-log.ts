// Checks the chain of an exported audit log without a connection, also in browsers (interface §25). It shows accidents and careless
// changes; a chain written again from the start differs from a head kept elsewhere.

/** The last entry of a chain, as `GET /v1/audit-log/head` shows it. */
export interface AuditHead {
  readonly n: number;
  readonly hash: string;
}

export interface AuditFault {
  /** The place in the chain, from 1. */
  readonly n: number;
  /** `moved`: the entry of this place is elsewhere. */
  readonly kind: "changed" | "removed" | "added" | "moved";
}

export interface AuditVerification {
  readonly ok: boolean;
  /** The number of entries read: not all of them if there is a fault. */
  readonly entries: number;
  readonly firstFault: AuditFault | null;
}

type Entry = Readonly<Record<string, unknown>>;

const NOTHING = "0".repeat(64);

/**
 * Verifies the lines of `GET /v1/audit-log/export?format=ndjson`, from the first entry on. With `head`, also that the log does not end
 * before or after it. Empty lines are ignored.
 */
export async function verifyAuditLog(
  lines: AsyncIterable<string> | Iterable<string>,
  { head }: { readonly head?: AuditHead } = {},
): Promise<AuditVerification> {
  const reader = createReader(lines);
  let last: AuditHead = { n: 0, hash: NOTHING };
  for (let entry = await reader.next(); entry !== undefined; entry = await reader.next()) {
    const n = last.n + 1;
    if (entry.n !== n || (await hashOf(last.hash, entry)) !== entry.hash) {
      const firstFault = { n, ...(await faultAt(n, last.hash, entry, reader)) };
      return { ok: false, entries: reader.count(), firstFault };
    }
    last = { n, hash: entry.hash as string };
  }
  const firstFault = head === undefined ? null : faultAtEnd(last, head);
  return { ok: firstFault === null, entries: last.n, firstFault };
}

async function faultAt(
  n: number,
  before: string,
  entry: Entry,
  reader: ReturnType<typeof createReader>,
): Promise<Pick<AuditFault, "kind">> {
  const belongs = async (other: Entry) => (await hashOf(before, { ...other, n })) === other.hash;
  if (await belongs(entry)) return { kind: "changed" };
  let [isLater, hasTwin] = [false, false];
  for (let other = await reader.next(); other !== undefined; other = await reader.next()) {
    isLater ||= other.n === n && (await belongs(other));
    hasTwin ||= other.n === entry.n;
  }
  const isOfLaterPlace = typeof entry.n === "number" && entry.n > n;
  if (isLater) return { kind: isOfLaterPlace && !hasTwin ? "moved" : "added" };
  if (isOfLaterPlace) return { kind: "removed" };
  return { kind: typeof entry.n === "number" && entry.n < n ? "added" : "changed" };
}

function faultAtEnd(last: AuditHead, head: AuditHead): AuditFault | null {
  if (last.n < head.n) return { n: last.n + 1, kind: "removed" };
  if (last.n > head.n) return { n: head.n + 1, kind: "added" };
  return last.hash === head.hash ? null : { n: head.n, kind: "changed" };
}

function createReader(lines: AsyncIterable<string> | Iterable<string>) {
  const iterator = Symbol.asyncIterator in lines ? lines[Symbol.asyncIterator]() : lines[Symbol.iterator]();
  let count = 0;
  return {
    count: () => count,
    /** A line that is not a JSON object or names a member twice counts as an entry without fields. */
    next: async (): Promise<Entry | undefined> => {
      for (;;) {
        const { done, value } = await iterator.next();
        if (done) return undefined;
        if (value.trim() === "") continue;
        count += 1;
        return entryOf(value);
      }
    },
  };
}

function entryOf(line: string): Entry {
  try {
    const value: unknown = JSON.parse(line);
    if (typeof value !== "object" || value === null) return {};
    // Of repeated names the parser takes the last, and a reader perhaps the first.
    return namesIn(line) === namesIn(JSON.stringify(value)) ? (value as Entry) : {};
  } catch {
    return {};
  }
}

function namesIn(json: string): number {
  return [...json.matchAll(/"(?:[^"\\]|\\.)*"(\s*:)?/g)].filter(([, colon]) => colon !== undefined).length;
}

function hashOf(before: string, { hash: _, ...entry }: Entry): string | Promise<string> {
  return sha256(`${before}\n${canonicalJson(entry)}`);
}

interface NodeCrypto {
  createHash(name: string): { update(text: string): { digest(encoding: "hex"): string } };
}
interface Global {
  readonly process?: { readonly getBuiltinModule?: (id: string) => unknown };
}

// Node also has Web Crypto, which is many times slower.
const nodeCrypto = (globalThis as Global).process?.getBuiltinModule?.("node:crypto") as
  | NodeCrypto
  | undefined;

function sha256(text: string): string | Promise<string> {
  return nodeCrypto === undefined
    ? sha256InBrowser(text)
    : nodeCrypto.createHash("sha256").update(text).digest("hex");
}

async function sha256InBrowser(text: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** RFC 8785. */
function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const members = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
  return `{${members.map(([key, member]) => `${JSON.stringify(key)}:${canonicalJson(member)}`).join(",")}}`;
}

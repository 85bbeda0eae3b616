export interface RecordedStatement {
  readonly text: string;
  /** It has a name, so Postgres keeps its plan. */
  readonly isPrepared: boolean;
  readonly values: readonly (string | null)[];
  /** The connection's `options` parameter: its role and settings. */
  readonly options: string;
  /** The values of the latest statement on the connection that set the tenant. */
  readonly tenant: readonly (string | null)[] | null;
}

/** Decodes a connection in Postgres's protocol. Calls `record` for each execution of a statement. */
export function readStatements(record: (statement: RecordedStatement) => void): (bytes: Buffer) => void {
  const texts = new Map<string, string>();
  let options = "";
  let tenant: RecordedStatement["tenant"] = null;
  return splitMessages("client", (type, body) => {
    if (type === "") options = readOptions(body);
    else if (type === "Q") {
      record({ text: readText(body, 0)[0], isPrepared: false, values: [], options, tenant });
    } else if (type === "P") {
      const [name, afterName] = readText(body, 0);
      texts.set(name, readText(body, afterName)[0]);
    } else if (type === "B") {
      const [name, values] = readBind(body);
      const text = texts.get(name);
      if (text === undefined) return;
      if (text.includes("set_config('tradepost.tenant_id'")) tenant = values;
      record({ text, isPrepared: name !== "", values, options, tenant });
    }
  });
}

/** Reads one side of a connection, without TLS. `read` gets each message's type, empty for the client's first message. */
export function splitMessages(
  side: "client" | "server",
  read: (type: string, body: Buffer) => void,
): (bytes: Buffer) => void {
  let typeBytes = side === "client" ? 0 : 1;
  let pending = Buffer.alloc(0);
  return (bytes) => {
    pending = Buffer.concat([pending, bytes]);
    for (;;) {
      if (pending.length < typeBytes + 4) return;
      const end = typeBytes + pending.readInt32BE(typeBytes);
      if (pending.length < end) return;
      const type = pending.toString("latin1", 0, typeBytes);
      const body = pending.subarray(typeBytes + 4, end);
      pending = pending.subarray(end);
      typeBytes = 1;
      read(type, body);
    }
  };
}

function readText(body: Buffer, start: number): [text: string, end: number] {
  const zero = body.indexOf(0, start);
  return [body.toString("utf8", start, zero), zero + 1];
}

function readOptions(body: Buffer): string {
  const words = body.toString("utf8", 4).split("\0");
  return words[words.indexOf("options") + 1] ?? "";
}

function readBind(body: Buffer): [name: string, values: (string | null)[]] {
  const [, afterPortal] = readText(body, 0);
  const [name, afterName] = readText(body, afterPortal);
  const formatCount = body.readInt16BE(afterName);
  const isBinary = (index: number) =>
    formatCount > 0 && body.readInt16BE(afterName + 2 + 2 * (formatCount === 1 ? 0 : index)) === 1;
  let at = afterName + 2 + 2 * formatCount;
  const valueCount = body.readInt16BE(at);
  at += 2;
  const values = Array.from({ length: valueCount }, (_, index) => {
    const length = body.readInt32BE(at);
    at += 4;
    if (length < 0) return null;
    const value = body.subarray(at, at + length);
    at += length;
    // pg sends buffers in binary format and everything else as text.
    return isBinary(index) ? `\\x${value.toString("hex")}` : value.toString("utf8");
  });
  return [name, values];
}

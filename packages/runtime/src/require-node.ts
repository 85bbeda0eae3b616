// Each program imports this file first, and nothing else statically: an older Node fails at other imports before it runs a line.
export const NODE_MIN = 24;

if (Number.parseInt(process.versions.node, 10) < NODE_MIN) {
  const msg = `Tradepost runs on Node ${NODE_MIN} or newer; this is ${process.versions.node}.`;
  process.stdout.write(`${JSON.stringify({ level: "fatal", msg })}\n`);
  process.exit(1);
}

// Save as reconcile.mts; run with: node reconcile.mts
import { createHash } from "node:crypto";
import { text } from "node:stream/consumers";

const { TRADEPOST_URL, TRADEPOST_API_KEY, SUBSCRIPTION_ID, DAY } = process.env;
const ids = new Set((await text(process.stdin)).split(/\s+/).filter(Boolean));
let sum = 0n;
for (const id of ids) sum += BigInt(`0x${createHash("sha256").update(id).digest("hex")}`);

const url = `${TRADEPOST_URL}/v1/webhooks/ledger?subscriptionId=${SUBSCRIPTION_ID}&day=${DAY}`;
const response = await fetch(url, { headers: { authorization: `Bearer ${TRADEPOST_API_KEY}` } });
if (!response.ok) throw new Error(`the ledger is ${response.status}`);
const { data } = await response.json();
const isEqual = BigInt(`0x${data.digest}`) === BigInt.asUintN(256, sum);
console.log(isEqual ? "equal" : "different", data.closed ? "closed" : "open");

// Mails that no server takes do not keep notices from others (interface §17). notices.test.ts has no mail server at all.
import { createServer, type Socket } from "node:net";
import { isDeepStrictEqual } from "node:util";
import { listenLocally, until } from "@tradepost/testing";
import { openNotices } from "./support/open-notices.ts";
import { useWebhooks } from "./support/use-webhooks.ts";

const PATH = "/v1/notices/destination";

let doesHang = false;
const sockets: Socket[] = [];
const smtp = createServer((socket) => {
  sockets.push(socket.on("error", () => undefined));
  if (!doesHang) socket.destroy();
});
const { port, stop } = await listenLocally(smtp);
const { webhooks, receiver, tenant } = useWebhooks(
  {
    WEBHOOKS_RETRY_SCHEDULE: "1h,2h",
    NOTICES_SMTP_URL: `smtp://127.0.0.1:${port}`,
    NOTICES_MAIL_FROM: "notices@shop.example",
  },
  { mailAfterMs: 100 },
);
afterAll(stop);

async function mailToAda(tenantId: string): Promise<void> {
  const emails = ["ada@shop.example"];
  const owner = webhooks.as({ tenantId, role: "owner", confirmedEmails: emails });
  expect((await owner.put(PATH, { emails })).status).toBe(200);
}

test("a mail server that hangs gets a few connections, and what is posted is sent meanwhile", async () => {
  doesHang = true;
  const mailed = Array.from({ length: 40 }, () => webhooks.tenant());
  for (const { tenantId } of mailed) await mailToAda(tenantId);
  await openNotices(webhooks, mailed, 1);
  await until("a connection to the mail server", () => sockets.length > 0);
  await tenant.owner().put(PATH, { url: `${receiver.url}/fine` });
  await openNotices(webhooks, [tenant], 1);
  await until("the notice", () => receiver.received.length === 1, 9_000);
  expect(sockets.length).toBeLessThanOrEqual(20);
  doesHang = false;
  for (const socket of sockets) socket.destroy();
});

test("a mail that fails counts for each of its notices by itself", async () => {
  await mailToAda(tenant.tenantId);
  await openNotices(webhooks, [tenant], 3, 1);
  const WAITS = `
    select attempt_count as attempt, round(extract(epoch from next_attempt_at - now()) / 3600)::integer as hours
      from notice_messages where tenant_id = $1 order by attempt_count`;
  const waits = () => webhooks.query(WAITS, tenant.tenantId);
  // The third was tried for the last time.
  const later = [
    { attempt: 1, hours: 1 },
    { attempt: 2, hours: 2 },
  ];
  await until("the failure to be recorded", async () => isDeepStrictEqual(await waits(), later));
});

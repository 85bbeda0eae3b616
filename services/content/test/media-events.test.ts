// What the exchange hears of media, whatever is lost on the way: each fact once, as the catalog says it.
import { readdir } from "node:fs/promises";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "@jest/globals";
import { eventData } from "@tradepost/event-catalog";
import { captureMessages, until } from "@tradepost/testing";
import { connect } from "amqplib";
import { asOwner, bindWebhooks, finished, picture, type Tenant, upload } from "./support/media-client.ts";
import { startTestContent, type TestContent } from "./support/test-content.ts";

describe("the events of media", () => {
  let content: TestContent;
  let tenant: Tenant;
  let image: Buffer;
  let captured: Awaited<ReturnType<typeof captureMessages>>;

  beforeAll(async () => {
    content = await startTestContent();
    await bindWebhooks(content);
    captured = await captureMessages(content.amqpUrl, "media.#");
    image = await (await picture(40, 20)).png().toBuffer();
  });
  beforeEach(() => {
    tenant = content.newTenant();
  });
  afterAll(async () => {
    await captured.stop();
    await content.stop();
  });

  const heard = () =>
    captured.messages
      .filter(({ properties }) => properties.headers?.tenant_id === tenant.tenantId)
      .map((message) => JSON.parse(String(message.content)));
  const types = () => heard().map(({ type }) => type);

  test("tell of an upload, its processing and its end, on the uploader's behalf", async () => {
    const uploaded = await upload(tenant, image);
    const ready = await finished(tenant, uploaded.body.data.id);
    await tenant.delete(`/v1/media/${ready.id}`);
    await until("three events", () => heard().length === 3);
    const [first, second, third] = heard();
    expect(types()).toEqual(["media.uploaded", "media.processed", "media.deleted"]);
    expect(first.data.media).toEqual(uploaded.body.data);
    expect(second.data.media).toEqual(ready);
    expect(third.data.media).toEqual(ready);
    expect([second.actor, second.request_id]).toEqual([first.actor, first.request_id]);
    for (const { type, data } of heard()) expect(eventData[type]?.schema.parse(data)).toEqual(data);
  });

  test("tell nothing of a failure but the upload", async () => {
    const { id } = (await upload(tenant, image.subarray(0, 60))).body.data;
    expect((await finished(tenant, id)).status).toBe("failed");
    await tenant.delete(`/v1/media/${id}`);
    await until("its end", () => types().includes("media.deleted"));
    expect(types()).toEqual(["media.uploaded", "media.deleted"]);
    expect(heard()[1].data.media.failureReason).toBe("not a readable image");
    expect(eventData["media.deleted"]?.schema.safeParse(heard()[1].data).success).toBe(true);
  });

  test("tell of the processing once, however often the job comes", async () => {
    const { id } = (await upload(tenant, image)).body.data;
    await until("the upload's event", () => heard().length > 0);
    const copy = captured.messages.find(
      ({ properties }) => properties.headers?.tenant_id === tenant.tenantId,
    );
    const connection = await connect(content.amqpUrl);
    const channel = await connection.createConfirmChannel();
    for (let n = 0; n < 20; n += 1) channel.sendToQueue("content.media", copy?.content ?? Buffer.alloc(0));
    await channel.waitForConfirms();
    await finished(tenant, id);
    await until("an empty queue", async () => {
      const { messageCount } = await channel.checkQueue("content.media");
      return messageCount === 0;
    });
    await connection.close();
    await tenant.delete(`/v1/media/${id}`);
    await until("the end", () => types().includes("media.deleted"));
    expect(types()).toEqual(["media.uploaded", "media.processed", "media.deleted"]);
  });

  test("come although the broker lost the job, and although whoever had it in hand died", async () => {
    const { id } = (await upload(tenant, image)).body.data;
    await finished(tenant, id);
    const again = (state: string) => asOwner(content, `update media set ${state} where id = $1`, [id]);
    await again("status = 'uploaded', variants = '[]', created_at = now() - interval '1 hour'");
    await finished(tenant, id);
    await again("status = 'processing', variants = '[]', processing_until = now() - interval '1 second'");
    expect((await finished(tenant, id)).variants).toHaveLength(3);
  });

  test("do not come of what was deleted in the middle, and no file is left", async () => {
    const ids = await Promise.all(
      Array.from({ length: 12 }, async () => {
        const { id } = (await upload(tenant, image)).body.data;
        await tenant.delete(`/v1/media/${id}`);
        return id;
      }),
    );
    await until("nothing to be left", async () => {
      const rows = await asOwner(content, "select 1 from storage_leftovers where tenant_id = $1", [
        tenant.tenantId,
      ]);
      const files = await readdir(`${content.mediaDir}/${tenant.tenantId}`);
      return rows.length + files.length === 0;
    });
    await until("their ends", () => types().filter((type) => type === "media.deleted").length === ids.length);
  });

  test("come after a stop in the middle", async () => {
    const uploads = await Promise.all(Array.from({ length: 10 }, () => upload(tenant, image)));
    await content.restart();
    tenant = content.newTenant(tenant.tenantId);
    for (const { body } of uploads) expect((await finished(tenant, body.data.id)).status).toBe("ready");
    await until("all events", () => types().filter((type) => type === "media.processed").length >= 10);
    expect(types().filter((type) => type === "media.processed")).toHaveLength(10);
  });

  test("are not work for who cannot read them: what is no event is kept aside", async () => {
    const connection = await connect(content.amqpUrl);
    const channel = await connection.createConfirmChannel();
    channel.sendToQueue("content.media", Buffer.from("{}"));
    await channel.waitForConfirms();
    await until("the poison", async () => (await channel.checkQueue("content.poison")).messageCount === 1);
    await connection.close();
  });
});

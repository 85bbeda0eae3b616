// The events of media: each is published once, with the data that the catalog describes, even after a crash.
import { readdir } from "node:fs/promises";
import { afterAll, beforeEach, describe, expect, test } from "@jest/globals";
import { eventData } from "@tradepost/event-catalog";
import { captureMessages, until } from "@tradepost/testing";
import { connect } from "amqplib";
import { asOwner, bindWebhooks, finished, picture, type Tenant, upload } from "./support/media-client.ts";
import { startTestContent } from "./support/test-content.ts";

const content = await startTestContent();
await bindWebhooks(content);
const captured = await captureMessages(content.amqpUrl, "media.#");
const image = await (await picture(40, 20)).png().toBuffer();

describe("the service", () => {
  let tenant: Tenant;

  beforeEach(() => {
    tenant = content.newTenant();
  });
  afterAll(async () => {
    await captured.stop();
    await content.stop();
  });

  const events = () =>
    captured.messages
      .filter(({ properties }) => properties.headers?.tenant_id === tenant.tenantId)
      .map((message) => JSON.parse(String(message.content)));
  const types = () => events().map(({ type }) => type);

  test("publishes the upload, the processing and the deletion of an asset; the upload causes the processing", async () => {
    const uploaded = await upload(tenant, image);
    const ready = await finished(tenant, uploaded.body.data.id);
    await tenant.delete(`/v1/media/${ready.id}`);
    await until("three events", () => events().length === 3);
    const [first, second, third] = events();
    expect(types()).toEqual(["media.uploaded", "media.processed", "media.deleted"]);
    expect(first.data.media).toEqual(uploaded.body.data);
    expect(second.data.media).toEqual(ready);
    expect(third.data.media).toEqual(ready);
    expect([second.actor, second.request_id]).toEqual([first.actor, first.request_id]);
    for (const { type, data } of events()) expect(eventData[type]?.schema.parse(data)).toEqual(data);
  });

  test("publishes no processing of an image that failed", async () => {
    const { id } = (await upload(tenant, image.subarray(0, 60))).body.data;
    expect((await finished(tenant, id)).status).toBe("failed");
    await tenant.delete(`/v1/media/${id}`);
    await until("the deletion", () => types().includes("media.deleted"));
    expect(types()).toEqual(["media.uploaded", "media.deleted"]);
    expect(events()[1].data.media.failureReason).toBe("not a readable image");
    expect(eventData["media.deleted"]?.schema.safeParse(events()[1].data).success).toBe(true);
  });

  test("publishes the processing once, even if the message arrives often", async () => {
    const { id } = (await upload(tenant, image)).body.data;
    await until("the upload's event", () => events().length > 0);
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
    await until("the deletion", () => types().includes("media.deleted"));
    expect(types()).toEqual(["media.uploaded", "media.processed", "media.deleted"]);
  });

  test("processes an image whose message is lost, or whose worker died", async () => {
    const { id } = (await upload(tenant, image)).body.data;
    await finished(tenant, id);
    const resetTo = (state: string) => asOwner(content, `update media set ${state} where id = $1`, [id]);
    await resetTo("status = 'uploaded', variants = '[]', created_at = now() - interval '1 hour'");
    await finished(tenant, id);
    await resetTo("status = 'processing', variants = '[]', processing_until = now() - interval '1 second'");
    expect((await finished(tenant, id)).variants).toHaveLength(3);
  });

  test("leaves no file of an image that is deleted during its processing", async () => {
    const ids = await Promise.all(
      Array.from({ length: 6 }, async () => {
        const { id } = (await upload(tenant, image)).body.data;
        await tenant.delete(`/v1/media/${id}`);
        return id;
      }),
    );
    await until("every file to be deleted", async () => {
      const rows = await asOwner(content, "select 1 from storage_leftovers where tenant_id = $1", [
        tenant.tenantId,
      ]);
      const files = await readdir(`${content.mediaDir}/${tenant.tenantId}`);
      return rows.length + files.length === 0;
    });
    await until(
      "the deletions",
      () => types().filter((type) => type === "media.deleted").length === ids.length,
    );
  });

  test("processes images that a restart interrupted, once each", async () => {
    const uploads = await Promise.all(Array.from({ length: 5 }, () => upload(tenant, image)));
    await content.restart();
    tenant = content.newTenant(tenant.tenantId);
    for (const { body } of uploads) expect((await finished(tenant, body.data.id)).status).toBe("ready");
    await until("all events", () => types().filter((type) => type === "media.processed").length >= 5);
    expect(types().filter((type) => type === "media.processed")).toHaveLength(5);
  });

  test("rejects an unreadable message to the poison queue", async () => {
    const connection = await connect(content.amqpUrl);
    const channel = await connection.createConfirmChannel();
    channel.sendToQueue("content.media", Buffer.from("{}"));
    await channel.waitForConfirms();
    await until(
      "the message in the poison queue",
      async () => (await channel.checkQueue("content.poison")).messageCount === 1,
    );
    await connection.close();
  });
});

// POST /v1/media: one file, streamed into the storage, and `media.uploaded`. Whatever fails leaves nothing behind.

import { type ApiRequest, type ApiResponse, created } from "@tradepost/http";
import { newId } from "@tradepost/runtime";
import { fileKey, mediaResource } from "../media/media.ts";
import * as store from "../media/media-store.ts";
import { receiveUpload } from "../media/receive-upload.ts";
import type { Content } from "./context.ts";

export function uploadMedia({ tenants, storage, onCommit, onLeftovers }: Content) {
  return async (request: ApiRequest<undefined, undefined>): Promise<ApiResponse> => {
    const { tenantId } = request.principal;
    const tenant = tenants.of(tenantId);
    const id = newId();
    let isAnnounced = false;
    try {
      const received = await receiveUpload(request.raw, async (bytes) => {
        isAnnounced = true;
        await store.announceUpload(tenant, id);
        await storage.put(fileKey(tenantId, id), bytes);
      });
      const media = await store.addMedia(tenant, id, received, request);
      onCommit();
      return created(mediaResource(media), `/v1/media/${id}`);
    } catch (error) {
      // Where this fails as well, it becomes due by itself.
      if (isAnnounced) await store.giveUpUpload(tenant, id).then(onLeftovers, () => undefined);
      throw error;
    }
  };
}

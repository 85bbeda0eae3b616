// POST /v1/media: streams a file into the storage; `media.uploaded`. A failed upload leaves nothing behind.
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
    let isRegistered = false;
    try {
      const received = await receiveUpload(request.raw, async (bytes) => {
        isRegistered = true;
        await store.registerUpload(tenant, id);
        await storage.put(fileKey(tenantId, id), bytes);
      });
      const media = await store.createMedia(tenant, id, received, request);
      onCommit();
      return created(mediaResource(media), `/v1/media/${id}`);
    } catch (error) {
      // If this fails too, the janitor deletes the files after an hour.
      if (isRegistered) await store.abandonUpload(tenant, id).then(onLeftovers, () => undefined);
      throw error;
    }
  };
}

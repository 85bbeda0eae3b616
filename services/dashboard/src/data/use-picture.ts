// Reads a version of an image and makes an address for an `<img>`. Browsers send no token for an image, so the file is read here. A
// signed link would be public, and each would have an entry in the audit log.
import { useQuery } from "@tanstack/react-query";
import type { BodyOf } from "@tradepost/client/operations";
import { requestFile } from "../session/request.ts";

export type MediaVariant = NonNullable<BodyOf<"createMediaLink">["variant"]>;

interface PictureOptions {
  readonly variant: MediaVariant;
  readonly isWanted?: boolean;
}

export function usePicture(id: string, { variant, isWanted = true }: PictureOptions): string | undefined {
  const { data } = useQuery({
    queryKey: ["getMediaFile", id, variant],
    queryFn: async ({ signal }) =>
      await dataUrlOf(await requestFile("getMediaFile", { path: { id }, query: { variant } }, { signal })),
    enabled: isWanted,
    // The file never changes.
    staleTime: Infinity,
  });
  return data;
}

function dataUrlOf(file: Blob): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const reader = new FileReader();
  reader.onload = () => resolve(String(reader.result));
  reader.onerror = () => reject(reader.error ?? new Error("the file could not be read"));
  reader.readAsDataURL(file);
  return promise;
}

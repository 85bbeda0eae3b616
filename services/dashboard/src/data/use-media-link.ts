// A signed address of a file: a browser sends no token for an image.
import { useQuery } from "@tanstack/react-query";
import type { BodyOf, DataOf } from "@tradepost/client/operations";
import type { Failure } from "../api/failure.ts";
import { request } from "../session/request.ts";

export type MediaVariant = NonNullable<BodyOf<"createMediaLink">["variant"]>;

const VALID_SECONDS = 3_600;
// Long before it expires: an address that a page shows may be loaded later.
const RENEW_MS = (VALID_SECONDS / 2) * 1_000;

interface MediaLinkOptions {
  readonly variant: MediaVariant;
  /** False while the file is not on the screen. */
  readonly isWanted?: boolean;
}

/** The address once it is there. */
export function useMediaLink(id: string, { variant, isWanted = true }: MediaLinkOptions): string | undefined {
  const body = { variant, expiresInSeconds: VALID_SECONDS };
  const { data } = useQuery<DataOf<"createMediaLink">, Failure>({
    queryKey: ["createMediaLink", id, variant],
    queryFn: async ({ signal }) =>
      (await request("createMediaLink", { path: { id }, body }, { signal })).data,
    enabled: isWanted,
    staleTime: RENEW_MS,
    refetchInterval: RENEW_MS,
  });
  return data?.url;
}

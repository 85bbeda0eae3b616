// Reads where the shop's notices are sent. Without a destination the platform responds with 404; here the result is null and not
// an error, so that it stays on the screen while it is read again.
import { useQuery } from "@tanstack/react-query";
import type { DataOf } from "@tradepost/client/operations";
import { Failure } from "../api/failure.ts";
import { request } from "../session/request.ts";

const NOT_FOUND = 404;

export function useNoticeDestination() {
  return useQuery<DataOf<"getNoticeDestination"> | null, Failure>({
    queryKey: ["getNoticeDestination"],
    queryFn: async ({ signal }) => {
      try {
        return (await request("getNoticeDestination", {}, { signal })).data;
      } catch (error) {
        if (error instanceof Failure && error.status === NOT_FOUND) return null;
        throw error;
      }
    },
  });
}

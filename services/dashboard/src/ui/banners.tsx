// The banners at the top of every screen: no connection, and the wait for a rate limit. Both disappear by themselves.
import { useIsFetching } from "@tanstack/react-query";
import { useSyncExternalStore } from "react";
import { waitingUntil } from "../session/request.ts";
import { useStore } from "../session/use-store.ts";
import { WarningIcon } from "./icons.tsx";
import { Countdown } from "./time.tsx";
import "./banners.css";

export function Banners() {
  const until = useStore(waitingUntil);
  const isOffline = !useSyncExternalStore(onConnection, () => navigator.onLine);
  const unreachable = useIsFetching({ predicate: ({ state }) => state.fetchFailureCount > 1 }) > 0;
  return (
    <div role="status" className="banners">
      {isOffline ? (
        <p>
          <WarningIcon /> You are offline. The dashboard goes on when the connection is back.
        </p>
      ) : (
        unreachable && (
          <p>
            <WarningIcon /> Tradepost does not respond. Trying again…
          </p>
        )
      )}
      {until !== null && (
        <p>
          <WarningIcon /> Too many requests. Going on in <Countdown until={until} />
        </p>
      )}
    </div>
  );
}

function onConnection(listener: () => void): () => void {
  addEventListener("online", listener);
  addEventListener("offline", listener);
  return () => {
    removeEventListener("online", listener);
    removeEventListener("offline", listener);
  };
}

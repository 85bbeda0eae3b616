// Caches the data of the screens. Reads that may succeed later are repeated, and continue when the browser is online again.
import { MutationCache, QueryCache, QueryClient } from "@tanstack/react-query";
import { Failure } from "../api/failure.ts";

const TRIES_MAX = 3;
const WAIT_MS = 1_000;
const WAIT_MS_MAX = 10_000;

export const queryClient: QueryClient = new QueryClient({
  queryCache: new QueryCache({ onError: readMeAgain }),
  mutationCache: new MutationCache({ onError: readMeAgain }),
  defaultOptions: {
    queries: {
      staleTime: 5_000,
      retry: (failures, error) => isWorthAnotherTry(error, failures),
      retryDelay: (failures) => Math.min(WAIT_MS * 2 ** failures, WAIT_MS_MAX),
    },
  },
});

/** An owner has just required a second factor: the shell shows how to set one up. */
function readMeAgain(error: unknown): void {
  if (error instanceof Failure && error.code === "second_factor_required")
    void queryClient.invalidateQueries({ queryKey: ["getMe"] });
}

function isWorthAnotherTry(error: unknown, failures: number): boolean {
  if (!(error instanceof Failure) || !error.isTransient) return false;
  // Without a response, the request is repeated until there is one.
  return error.status === 0 || failures < TRIES_MAX;
}

// Asks all sources for the typed text once the typing pauses.
import { keepPreviousData, useQueries } from "@tanstack/react-query";
import type { Failure } from "../../api/failure.ts";
import { holderOf, useMe } from "../../data/me.ts";
import { usePaused } from "../../data/use-paused.ts";
import { isAllowed } from "../../session/roles.ts";
import { CHARACTERS_MAX, type Found, sourcesFor } from "./sources.ts";

interface Results {
  readonly found: readonly Found[];
  /** False once all sources have responded for the text. */
  readonly isSearching: boolean;
  readonly failure: Failure | null;
}

export function useFound(typed: string): Results {
  const holder = holderOf(useMe());
  const wanted = typed.trim().slice(0, CHARACTERS_MAX);
  const text = usePaused(wanted);
  const sources = sourcesFor(text).filter(({ needs }) => isAllowed(holder, needs));
  return useQueries({
    queries: sources.map(({ name, find }) => ({
      queryKey: ["find", name, text],
      queryFn: ({ signal }: { signal: AbortSignal }) => find(text, signal),
      placeholderData: keepPreviousData,
    })),
    combine: (results): Results => ({
      found: results.flatMap(({ data }) => data ?? []),
      isSearching:
        text !== wanted ||
        results.some(({ isFetching, isPlaceholderData }) => isFetching && isPlaceholderData) ||
        results.some(({ isPending }) => isPending),
      failure: (results.find(({ error }) => error !== null)?.error as Failure | undefined) ?? null,
    }),
  });
}

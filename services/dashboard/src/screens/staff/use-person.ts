// Reads one person. The platform can only list people, so this reads pages until the person is found.
import { useEffect } from "react";
import { useList } from "../../data/use-list.ts";

export const STAFF_QUERY = { limit: 100 };

export function usePerson(id: string) {
  const list = useList("listUsers", STAFF_QUERY);
  const { items, hasNextPage, isFetchingNextPage, fetchNextPage, error, refetch } = list;
  const person = items?.find((one) => one.id === id);
  const isMissing = person === undefined && items !== undefined;
  useEffect(() => {
    if (isMissing && hasNextPage && !isFetchingNextPage && error === null) void fetchNextPage();
  }, [isMissing, hasNextPage, isFetchingNextPage, error, fetchNextPage]);
  return { person, isUnknown: isMissing && !hasNextPage, read: { data: person, error, refetch } };
}

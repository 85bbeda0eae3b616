// Reads the next page of a list.
import { Button } from "./button.tsx";

interface MoreButtonProps {
  readonly list: {
    readonly hasNextPage: boolean;
    readonly isFetchingNextPage: boolean;
    readonly fetchNextPage: () => unknown;
  };
}

export function MoreButton({ list }: MoreButtonProps) {
  if (!list.hasNextPage) return null;
  return (
    <Button isBusy={list.isFetchingNextPage} onClick={() => list.fetchNextPage()}>
      Show more
    </Button>
  );
}

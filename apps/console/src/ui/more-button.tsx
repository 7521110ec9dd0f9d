import { Button } from './button';

interface MoreButtonProps {
  /** A list that is read page by page. */
  readonly list: {
    readonly hasNextPage: boolean;
    readonly isFetchingNextPage: boolean;
    readonly fetchNextPage: () => unknown;
  };
  readonly words?: string;
}

/** Reads the next page of a list, if it has one. */
export const MoreButton = ({ list, words = 'Show more' }: MoreButtonProps) =>
  list.hasNextPage && (
    <div>
      <Button disabled={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
        {list.isFetchingNextPage ? 'Loading …' : words}
      </Button>
    </div>
  );

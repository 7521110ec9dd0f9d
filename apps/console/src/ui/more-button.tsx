import type { PagedList } from '../data/queries';
import { Button } from './button';

export interface MoreButtonProps {
  readonly list: PagedList;
  readonly words?: string | undefined;
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

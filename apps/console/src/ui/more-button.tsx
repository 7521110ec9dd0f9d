import { Button } from './button';

interface Pages {
  readonly hasNextPage: boolean;
  readonly isFetchingNextPage: boolean;
  readonly fetchNextPage: () => Promise<unknown>;
}

/** Loads the next page of a list; nothing at its end. */
export const MoreButton = ({ of, what }: { readonly of: Pages; readonly what: string }) =>
  of.hasNextPage ? (
    <Button disabled={of.isFetchingNextPage} onClick={() => void of.fetchNextPage()}>
      {of.isFetchingNextPage ? 'Loading …' : `Show more ${what}`}
    </Button>
  ) : null;

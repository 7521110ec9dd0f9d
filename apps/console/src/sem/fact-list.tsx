import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useRef } from 'react';
import type { ListedFact } from '#client/index.js';
import type { PagedList } from '../data/queries';
import { Instant } from '../ui/instant';
import { MoreButton } from '../ui/more-button';
import { lineOf } from '../ui/value-text';
import { VisibleText } from '../ui/visible-text';
import { FactLink } from './fact-link';
import styles from './facts.module.css';

/** A row’s height in pixels until it is measured. */
const ROW = 58;
/** The characters of a value that a row shows. */
const SHOWN = 160;

interface FactListProps {
  readonly facts: readonly ListedFact[];
  readonly pages: PagedList;
}

/** The facts, of which only those in view are drawn. The next page is loaded before its place comes into view. */
export function FactList({ facts, pages }: FactListProps) {
  const scroller = useRef<HTMLDivElement>(null);
  const rows = useVirtualizer({
    count: facts.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW,
    overscan: 12,
  });
  const drawn = rows.getVirtualItems();
  const last = drawn.at(-1)?.index ?? 0;
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = pages;
  useEffect(() => {
    if (last >= facts.length - 12 && last > 0 && hasNextPage && !isFetchingNextPage)
      void fetchNextPage();
  }, [last, facts.length, hasNextPage, isFetchingNextPage, fetchNextPage]);
  const count = facts.length.toLocaleString('en');
  return (
    <>
      <p>
        {hasNextPage ? `The first ${count} facts` : `${count} fact${facts.length === 1 ? '' : 's'}`}
      </p>
      <div ref={scroller} className={styles.scroller} role="region" aria-label="Facts" tabIndex={0}>
        <ul className={styles.list} style={{ blockSize: rows.getTotalSize() }}>
          {drawn.map(({ index, start }) => (
            <Row
              key={index}
              fact={facts[index]!}
              start={start}
              place={index + 1}
              measure={rows.measureElement}
              of={facts.length}
            />
          ))}
        </ul>
      </div>
      <MoreButton list={pages} />
    </>
  );
}

interface RowProps {
  readonly fact: ListedFact;
  readonly start: number;
  readonly place: number;
  readonly of: number;
  readonly measure: (element: HTMLElement | null) => void;
}

function Row({ fact, start, place, of, measure }: RowProps) {
  const { key, value, source, last_updated } = fact;
  const text = lineOf(value);
  return (
    <li
      ref={measure}
      data-index={place - 1}
      className={styles.row}
      style={{ transform: `translateY(${start}px)` }}
      aria-posinset={place}
      aria-setsize={of}
    >
      <div className={styles.key}>
        <FactLink of={key} />
      </div>
      <div className={styles.value}>
        <VisibleText text={text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text} />
      </div>
      <div className={styles.by}>
        <VisibleText text={source} /> · <Instant at={last_updated} />
      </div>
    </li>
  );
}

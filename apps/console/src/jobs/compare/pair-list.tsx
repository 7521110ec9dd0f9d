import { Link } from '@tanstack/react-router';
import { useVirtualizer } from '@tanstack/react-virtual';
import { useMemo, useRef, useState } from 'react';
import { Button } from '../../ui/button';
import { VisibleText } from '../../ui/visible-text';
import type { Compared, Pair, Verdict } from './align';
import { saidBy } from './compare-about';
import type { ComparedSide } from './compared-side';
import styles from './compare.module.css';
import type { Comparison } from './use-comparison';

const ROW_PX = 28;
const MAX_WORDS = 300;
const WORDS: Readonly<Record<Verdict, string>> = {
  same: '= same',
  differs: '≠ differs',
  bytes: '≈ other bytes',
  left: '← only left',
  right: '→ only right',
};
const VERDICTS = ['same', 'differs', 'bytes', 'left', 'right'] as const;

/** Both histories beside each other; only the rows in view exist. */
export function PairList({ comparison }: { readonly comparison: Comparison }) {
  const { pairs, left, right, isSameJob } = comparison;
  const [isWhole, setWhole] = useState(false);
  const shown = useMemo(
    () => (isWhole ? pairs : pairs.filter(({ verdict }) => verdict !== 'same')),
    [isWhole, pairs],
  );
  const scroller = useRef<HTMLDivElement>(null);
  const rows = useVirtualizer({
    count: shown.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_PX,
    overscan: 8,
  });
  const verdicts = isSameJob ? VERDICTS : VERDICTS.filter((verdict) => verdict !== 'bytes');
  const counts = verdicts.map(
    (verdict) =>
      [verdict, pairs.reduce((sum, pair) => sum + (pair.verdict === verdict ? 1 : 0), 0)] as const,
  );
  return (
    <section aria-labelledby="histories">
      <div className={styles.choice}>
        <h2 id="histories">Both histories</h2>
        <span>
          {counts
            .map(([verdict, count]) => `${WORDS[verdict]} ${count.toLocaleString('en')}`)
            .join(' · ')}
        </span>
        <Button aria-pressed={isWhole} onClick={() => setWhole(!isWhole)}>
          Also what is the same
        </Button>
      </div>
      <div
        ref={scroller}
        className={styles.list}
        role="region"
        aria-label="Events of both jobs"
        tabIndex={0}
      >
        <ol className={styles.rows} style={{ blockSize: rows.getTotalSize() }}>
          {rows.getVirtualItems().map(({ index, start }) => (
            <li
              key={index}
              className={styles.row}
              style={{ transform: `translateY(${start}px)` }}
              aria-setsize={shown.length}
              aria-posinset={index + 1}
            >
              {shown[index] !== undefined && (
                <PairRow pair={shown[index]} left={left} right={right} />
              )}
            </li>
          ))}
        </ol>
      </div>
    </section>
  );
}

interface PairRowProps {
  readonly pair: Pair;
  readonly left: ComparedSide;
  readonly right: ComparedSide;
}

function PairRow({ pair, left, right }: PairRowProps) {
  const changed = pair.changed === undefined ? '' : `: ${pair.changed.join(', ')}`;
  const words = `tick ${pair.tick} · ${WORDS[pair.verdict]}${changed}`.slice(0, MAX_WORDS);
  return (
    <div className={styles.pair} data-verdict={pair.verdict}>
      <span className={styles.verdict} title={words}>
        <VisibleText text={words} />
      </span>
      <Side of={pair.left} in={left} />
      <Side of={pair.right} in={right} />
    </div>
  );
}

interface SideProps {
  readonly of: Compared | undefined;
  readonly in: ComparedSide;
}

function Side({ of, in: { seed, isFile } }: SideProps) {
  if (of === undefined) return <span className={styles.side}>–</span>;
  const { number } = of.event;
  return (
    <span className={styles.side}>
      {isFile ? (
        number
      ) : (
        <Link to="/jobs/$seed" params={{ seed }} search={{ at: number }}>
          {number}
        </Link>
      )}{' '}
      <VisibleText text={saidBy(of).slice(0, MAX_WORDS)} />
    </span>
  );
}

import { type ReactNode, useEffect, useRef } from 'react';
import { Button } from '../ui/button';
import styles from './review.module.css';
import type { Reading } from './use-reading';

interface ValueBoxProps {
  readonly label: string;
  readonly reading: Reading;
  readonly children: ReactNode;
}

/** A box for a value. It shows the beginning of a long one, until the reader opens it. */
export function ValueBox({ label, reading, children }: ValueBoxProps) {
  const { of, isLong, isWhole, box, note, open, close } = reading;
  const content = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const measured = new ResizeObserver(() =>
      note(
        (content.current?.offsetHeight ?? 0) > (box.current?.clientHeight ?? 0) ||
          // What is left out can be long although what is laid out is short.
          (content.current?.querySelector('[data-cut]') ?? null) !== null,
      ),
    );
    for (const part of [content.current, box.current]) if (part !== null) measured.observe(part);
    return () => measured.disconnect();
  }, [of, box, note]);
  return (
    <div className={styles.valueFrame}>
      <div
        ref={box}
        role="region"
        aria-label={label}
        tabIndex={-1}
        className={`${styles.value} ${isWhole ? styles.whole : ''} ${isLong && !isWhole ? styles.cut : ''}`}
      >
        <div ref={content} className={styles.valueContent}>
          {children}
        </div>
      </div>
      {isLong && (
        <Button kind="quiet" onClick={isWhole ? close : open}>
          {isWhole ? 'Show less' : 'Show the value to its end'}
        </Button>
      )}
    </div>
  );
}

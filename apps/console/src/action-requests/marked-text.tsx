import { useState } from 'react';
import { Button } from '../ui/button';
import { VisibleText } from '../ui/visible-text';
import styles from './review.module.css';
import { commentPlaces } from './value-places';
import type { Place } from './written-numbers';

/** What a mark shows: the proposed value, a number that is almost the value, or an early year. */
export type MarkKind = 'found' | 'near' | 'year';

export interface Mark extends Place {
  readonly kind: MarkKind;
}

interface MarkedTextProps {
  readonly text: string;
  /** Where two overlap, the first one is shown. */
  readonly marks: readonly Mark[];
}

/** The number of characters that are shown at first, and those before the first mark. */
const SHOWN = 600;
const BEFORE_MARK = 200;
/** More marks of one text are not shown. */
const MAX_MARKS = 1_000;

/**
 * A text of somebody else in which the proposed value is marked, and what a browser would not show. A long one is cut
 * to the part around the first mark until the reader asks for all of it.
 */
export function MarkedText({ text, marks }: MarkedTextProps) {
  const [isWhole, setWhole] = useState(false);
  const first = firstPlace(marks);
  const from = first > SHOWN - BEFORE_MARK && first < text.length ? first - BEFORE_MARK : 0;
  const shown = isWhole || text.length <= SHOWN ? text : text.slice(from, from + SHOWN);
  const offset = shown === text ? 0 : from;
  return (
    <>
      {offset > 0 && '… '}
      {segmentsOf(
        shown,
        within(marks, offset, shown.length).slice(0, MAX_MARKS),
        within(commentPlaces(text), offset, shown.length),
      ).map((segment, index) => (
        <Segment key={index} {...segment} />
      ))}
      {offset + shown.length < text.length && ' …'}
      {text.length > SHOWN && (
        <>
          {' '}
          <Button kind="quiet" onClick={() => setWhole(!isWhole)}>
            {isWhole ? 'Show less' : `Show all ${text.length.toLocaleString('en')} characters`}
          </Button>
        </>
      )}
    </>
  );
}

/** A year is not what the reader looks for, as long as something else is marked. */
function firstPlace(marks: readonly Mark[]): number {
  const sought = marks.filter(({ kind }) => kind !== 'year');
  const starts = (sought.length > 0 ? sought : marks).map(({ start }) => start);
  return starts.reduce((first, start) => Math.min(first, start), Infinity);
}

/** The places in a part of a text, with their places there. */
const within = <Of extends Place>(places: readonly Of[], from: number, length: number): Of[] =>
  places
    .filter(({ start, end }) => end > from && start < from + length)
    .map((place) => ({ ...place, start: place.start - from, end: place.end - from }));

interface TextSegment {
  readonly text: string;
  readonly mark: MarkKind | undefined;
  readonly isComment: boolean;
}

/** Cuts a text where a mark or a comment begins or ends. */
function segmentsOf(
  text: string,
  marks: readonly Mark[],
  comments: readonly Place[],
): TextSegment[] {
  const ends = [...marks, ...comments].flatMap(({ start, end }) => [start, end]);
  const cuts = [...new Set([0, ...ends, text.length])]
    .filter((cut) => cut >= 0 && cut <= text.length)
    .sort((one, other) => one - other);
  let comment = 0;
  return cuts.slice(1).map((end, index) => {
    const start = cuts[index]!;
    const isAround = (place: Place): boolean => place.start <= start && end <= place.end;
    // The comments stand one after the other.
    while ((comments[comment]?.end ?? Infinity) <= start) comment += 1;
    const around = comments[comment];
    return {
      text: text.slice(start, end),
      mark: marks.find(isAround)?.kind,
      isComment: around !== undefined && isAround(around),
    };
  });
}

function Segment({ text, mark, isComment }: TextSegment) {
  const shown =
    mark === undefined ? (
      <VisibleText text={text} />
    ) : (
      <mark className={styles[mark]}>
        <VisibleText text={text} />
      </mark>
    );
  if (!isComment) return shown;
  return (
    <span className={styles.comment} title="A browser does not show this comment">
      {shown}
    </span>
  );
}

import { useState } from 'react';
import { Button } from '../ui/button';
import { VisibleText } from '../ui/visible-text';
import styles from './review.module.css';
import { commentPlaces, type Place, placesOf, type SoughtPart } from './value-places';

interface MarkedTextProps {
  readonly text: string;
  /** What is marked where the text has it. */
  readonly sought: readonly SoughtPart[];
}

/** The number of characters that are shown at first, and those before the first mark. */
const SHOWN = 600;
const BEFORE_MARK = 200;

/**
 * A text of somebody else in which the proposed value is marked, and what a browser would not show. A long one is cut
 * to the part around the first mark until the reader asks for all of it.
 */
export function MarkedText({ text, sought }: MarkedTextProps) {
  const [isWhole, setWhole] = useState(false);
  const marks = sought.flatMap(({ value }) => placesOf(text, value));
  const first = Math.min(...marks.map(({ start }) => start));
  const from = first > SHOWN - BEFORE_MARK && first < text.length ? first - BEFORE_MARK : 0;
  const shown = isWhole || text.length <= SHOWN ? text : text.slice(from, from + SHOWN);
  const offset = shown === text ? 0 : from;
  return (
    <>
      {offset > 0 && '… '}
      {segmentsOf(shown, moved(marks, offset), moved(commentPlaces(text), offset)).map(
        (segment, index) => (
          <Segment key={index} {...segment} />
        ),
      )}
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

const moved = (places: readonly Place[], by: number): Place[] =>
  places.map(({ start, end }) => ({ start: start - by, end: end - by }));

interface TextSegment {
  readonly text: string;
  readonly isMarked: boolean;
  readonly isComment: boolean;
}

/** Cuts a text where a mark or a comment begins or ends. */
function segmentsOf(
  text: string,
  marks: readonly Place[],
  comments: readonly Place[],
): TextSegment[] {
  const ends = [...marks, ...comments].flatMap(({ start, end }) => [start, end]);
  const cuts = [...new Set([0, ...ends, text.length])]
    .filter((cut) => cut >= 0 && cut <= text.length)
    .sort((one, other) => one - other);
  return cuts.slice(1).map((end, index) => {
    const start = cuts[index]!;
    const isIn = (places: readonly Place[]): boolean =>
      places.some((place) => place.start <= start && end <= place.end);
    return { text: text.slice(start, end), isMarked: isIn(marks), isComment: isIn(comments) };
  });
}

function Segment({ text, isMarked, isComment }: TextSegment) {
  const shown = isMarked ? (
    <mark className={styles.found}>
      <VisibleText text={text} />
    </mark>
  ) : (
    <VisibleText text={text} />
  );
  if (!isComment) return shown;
  return (
    <span className={styles.comment} title="A browser does not show this comment">
      {shown}
    </span>
  );
}

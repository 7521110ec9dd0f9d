import { useState } from 'react';
import type { SearchHit } from '#client/index.js';
import { termsOf } from '#domain/search/analysis.js';
import { FactLink } from '../sem/fact-link';
import { StoreLink } from '../memory-contract/store-link';
import { Badge } from '../ui/badge';
import { Button } from '../ui/button';
import { EventPlace } from '../ui/event-place';
import { Instant } from '../ui/instant';
import { VisibleText } from '../ui/visible-text';
import { WhyLink } from '../why/why-link';
import { Explanation } from './explanation';
import styles from './search.module.css';
import cards from '../ui/cards.module.css';

/** A part of a text: words that were found, or what stands between them. */
interface MarkedPiece {
  readonly text: string;
  readonly isMarked: boolean;
}

const WORD = /[\p{L}\p{M}\p{Nd}]+/gu;

/** Cuts a text into the words whose terms were found and the texts between them. @param terms stems, as an explanation has them */
function markedPieces(text: string, terms: ReadonlySet<string>): MarkedPiece[] {
  if (terms.size === 0) return [{ text, isMarked: false }];
  const known = new Map<string, boolean>();
  const isFound = (word: string): boolean => {
    const seen = known.get(word);
    if (seen !== undefined) return seen;
    const found = termsOf(word).some((term) => terms.has(term));
    known.set(word, found);
    return found;
  };
  const pieces: MarkedPiece[] = [];
  let end = 0;
  for (const { 0: word, index } of text.matchAll(WORD)) {
    if (!isFound(word)) continue;
    if (index > end) pieces.push({ text: text.slice(end, index), isMarked: false });
    pieces.push({ text: word, isMarked: true });
    end = index + word.length;
  }
  if (end < text.length) pieces.push({ text: text.slice(end), isMarked: false });
  return pieces;
}

/** The characters of a text that are shown at first. */
const SHOWN = 600;

interface HitProps {
  readonly hit: SearchHit;
  readonly isExplained: boolean;
}

/** A hit: its text with the words that were found, where it is from, and why it stands here. */
export function Hit({ hit, isExplained }: HitProps) {
  const { kind, shown_at, score, source, explanation } = hit;
  return (
    <li className={cards.card}>
      <div className={styles.heading}>
        <Badge>{kind === 'memory_item' ? 'item' : kind}</Badge>
        <HitName hit={hit} />
        <span className={styles.score}>score {score}</span>
      </div>
      <HitText hit={hit} />
      <div className={styles.heading}>
        <Instant at={shown_at} />
        <EventPlace event={source} />
      </div>
      {isExplained && explanation !== undefined && (
        <Explanation of={hit.id} explanation={explanation} score={score} />
      )}
    </li>
  );
}

/** What was found, with the ways to it and to where it came from. */
function HitName({ hit: { kind, id, note } }: { readonly hit: SearchHit }) {
  switch (kind) {
    case 'fact':
      return (
        <>
          <FactLink of={id} /> <WhyLink kind="fact" id={id} />
        </>
      );
    case 'episode':
      return (
        <WhyLink kind="episode" id={id}>
          {id}
        </WhyLink>
      );
    case 'memory_item': {
      const { space, owner } = storeOf(id);
      return (
        <>
          <StoreLink space={space} owner={owner} /> <WhyLink kind="memory_item" id={id} />
        </>
      );
    }
    case 'note':
      return (
        <>
          <VisibleText text={[...(note?.namespace ?? []), note?.key ?? id].join(' / ')} />
          <span>version {note?.version}</span> <WhyLink kind="note" id={id} />
        </>
      );
    case 'wm':
    case 'cwm':
      return <VisibleText text={id} />;
  }
}

/** An id of an item is `<space>:<owner>:<kind>:<n>`, and an owner has no colon. */
function storeOf(id: string): { readonly space: string; readonly owner: string } {
  const [space = '', owner = ''] = id.split(':');
  return { space, owner };
}

function HitText({ hit: { text, explanation } }: { readonly hit: SearchHit }) {
  const [isWhole, setWhole] = useState(false);
  const terms = new Set(explanation?.terms.map(({ term }) => term));
  const shown = isWhole || text.length <= SHOWN ? text : `${text.slice(0, SHOWN)}…`;
  return (
    <p className={styles.text}>
      {markedPieces(shown, terms).map(({ isMarked, text: piece }, index) =>
        isMarked ? (
          <mark key={index}>
            <VisibleText text={piece} />
          </mark>
        ) : (
          <VisibleText key={index} text={piece} />
        ),
      )}
      {text.length > SHOWN && (
        <Button kind="quiet" onClick={() => setWhole(!isWhole)}>
          {isWhole ? 'Show less' : `Show all ${text.length.toLocaleString('en')} characters`}
        </Button>
      )}
    </p>
  );
}

import { useContext } from 'react';
import { ImitatedWords } from './imitated-words';
import { type Piece, piecesOf } from './invisible-characters';
import { imitationWords, lookalikeWords } from './look-alikes';
import styles from './visible-text.module.css';

/**
 * A text that somebody else wrote. It is shown as it is, in the direction of the page, with marks in the place of
 * characters that cannot be seen, and on letters that look like others.
 */
export function VisibleText({ text }: { readonly text: string }) {
  const imitated = useContext(ImitatedWords);
  return (
    <bdi dir="ltr" className={styles.text}>
      {piecesOf(text, imitated).map((piece, index) => (
        // The pieces of a text have no other identity than their place.
        <Shown key={index} piece={piece} />
      ))}
    </bdi>
  );
}

function Shown({ piece }: { readonly piece: Piece }) {
  switch (piece.kind) {
    case 'text':
      return piece.text;
    case 'invisible':
      return (
        <mark className={styles.invisible} title={nameOf(piece)}>
          {piece.code}
          {piece.count > 1 && ` × ${piece.count.toLocaleString('en')}`}
        </mark>
      );
    case 'lookalike':
      return (
        <mark className={styles.lookalike} title={lookalikeWords(piece.text, piece.code)}>
          {piece.text}
        </mark>
      );
    case 'imitation':
      return (
        <mark className={styles.lookalike} title={imitationWords(piece.latin)}>
          {piece.text}
        </mark>
      );
  }
}

const nameOf = ({ code, count }: Piece & { kind: 'invisible' }): string =>
  count === 1
    ? `An invisible character, ${code}`
    : `The same invisible character, ${code}, ${count.toLocaleString('en')} times`;

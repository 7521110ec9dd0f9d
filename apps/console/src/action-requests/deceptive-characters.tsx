import { useContext } from 'react';
import { ImitatedWords } from '../ui/imitated-words';
import { lookalikeWords } from '../ui/look-alikes';
import { type Piece, piecesOf } from '../ui/invisible-characters';
import { Message } from '../ui/message';

interface DeceptiveCharactersProps {
  /** The texts of the proposer that the page shows and marks. */
  readonly texts: readonly string[];
  readonly isFact: boolean;
}

/** More characters are counted and not named. */
const NAMED = 5;

/** Names the characters that a reader would miss or take for others; the texts mark their places. */
export function DeceptiveCharacters({ texts, isFact }: DeceptiveCharactersProps) {
  const imitated = useContext(ImitatedWords);
  const pieces = texts.flatMap((text) => piecesOf(text, imitated));
  const invisible = pieces.reduce(
    (sum, piece) => sum + (piece.kind === 'invisible' ? piece.count : 0),
    0,
  );
  const found = [
    ...counted(invisible, 'invisible character', 'invisible characters'),
    ...counted(
      pieces.filter(({ kind }) => kind === 'lookalike').length,
      'letter that looks like another',
      'letters that look like others',
    ),
    ...counted(
      pieces.filter(({ kind }) => kind === 'imitation').length,
      'word that looks like a Latin one',
      'words that look like Latin ones',
    ),
  ];
  if (found.length === 0) return null;
  const names = [...new Set(pieces.flatMap(nameOf))];
  return (
    <Message title={`Look closely: ${found.join(' and ')}`} kind="warning">
      <ul>
        {names.slice(0, NAMED).map((name) => (
          <li key={name}>{name}</li>
        ))}
        {names.length > NAMED && <li>and {names.length - NAMED} more</li>}
      </ul>
      <p>{isFact ? 'Reject it, or propose other words.' : 'Reject it.'}</p>
    </Message>
  );
}

const counted = (count: number, one: string, many: string): string[] =>
  count === 0 ? [] : [`${count} ${count === 1 ? one : many}`];

function nameOf(piece: Piece): string[] {
  switch (piece.kind) {
    case 'text':
      return [];
    case 'invisible':
      return [`${piece.code} cannot be seen`];
    case 'lookalike':
      return [`${piece.text} is ${lookalikeWords(piece.text, piece.code)}`];
    case 'imitation':
      return [`${piece.text} looks like the Latin ${piece.latin}`];
  }
}

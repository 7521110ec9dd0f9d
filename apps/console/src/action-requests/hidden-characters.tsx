import { Message } from '../ui/message';
import { piecesOf } from '../ui/invisible-characters';

const counted = (count: number, one: string, many: string): string[] =>
  count === 0 ? [] : [`${count} ${count === 1 ? one : many}`];

/** Warns of characters that a reader would miss or take for others; the texts mark their places. */
export function HiddenCharacters({ texts }: { readonly texts: readonly string[] }) {
  const pieces = texts.flatMap(piecesOf);
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
  ];
  if (found.length === 0) return null;
  return (
    <Message title={`Look closely: ${found.join(' and ')}`} kind="warning">
      <p>They are marked in the texts below. Ask the proposer, or propose other words.</p>
    </Message>
  );
}

import type { Dossier } from '#client/index.js';
import { Instant, inWords } from '../ui/instant';

export type ErasureReviewed = NonNullable<Dossier['erasure']>;
type Obstacle = ErasureReviewed['obstacles'][number];

const WORDS: Readonly<Record<Obstacle, string>> = {
  undecided: 'The council has not decided yet.',
  closed: 'The request is closed, so it erases nothing.',
  ordered: 'An admin has ordered it, and the service carries it out.',
  executed: 'It is executed.',
  retention: 'Before the retention period is over, only a legal duty allows an erasure.',
  role: 'Only an admin executes it.',
  voted: 'You voted on it, so another admin executes it: an erasure takes two people.',
};

/** Why the signed-in person cannot execute the erasure now. */
export const ErasureObstacles = ({ of }: { readonly of: ErasureReviewed }) => {
  const { obstacles, retention_ends_at: end } = of;
  return (
    <ul>
      {obstacles.map((obstacle) => (
        <li key={obstacle}>
          {WORDS[obstacle]}
          {obstacle === 'retention' && end !== null && (
            <>
              {' '}
              It ends {inWords(end)}, at <Instant at={end} />.
            </>
          )}
        </li>
      ))}
    </ul>
  );
};

import type { ActionRequest } from '#client/index.js';
import { ValueChange } from '../changes/value-change';
import { lineOf } from '../ui/value-text';
import styles from './review.module.css';
import { VoteList } from './votes';

/** Longer ones, in characters, are folded. */
const SHORT = 400;

/** How other words took the place of earlier ones, and the votes on those. */
export function EarlierWords({ request }: { readonly request: ActionRequest }) {
  const { earlier_versions: earlier, value, request_id } = request;
  if (earlier.length === 0) return null;
  const length = earlier.reduce((sum, version) => sum + lineOf(version.value).length, 0);
  return (
    <details open={length <= SHORT}>
      <summary>Earlier words ({earlier.length})</summary>
      {earlier.map((version, index) => (
        <div key={version.proposal_hash} className={styles.section}>
          <ValueChange before={version.value} after={earlier[index + 1]?.value ?? value} />
          <VoteList requestId={request_id} votes={version.votes} />
        </div>
      ))}
    </details>
  );
}

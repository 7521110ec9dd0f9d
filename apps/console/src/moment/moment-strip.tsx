import { isPosition } from '#domain/position.js';
import { useRead } from '../data/queries';
import { Button } from '../ui/button';
import { wordsOf } from '../ui/error-notice';
import styles from './moment.module.css';
import { momentWords } from './moment-words';
import { useChosenMoment, useHasPast, useShowMoment } from './use-moment';

/** Until a moment is final, the log may still get events of its time. */
const FINAL_AFTER_MS = 5_000;

/** Says below the header that the pages show a moment of the past, and leads back to now. */
export function MomentStrip() {
  const at = useChosenMoment();
  return <div role="status">{at !== undefined && <Strip at={at} />}</div>;
}

function Strip({ at }: { readonly at: string }) {
  const show = useShowMoment();
  const hasPast = useHasPast();
  const moment = useRead(['moment', at], (mace, call) => mace.positionAt(at, call), {
    refetchInterval: ({ state }) => (state.data?.final === false ? FINAL_AFTER_MS : false),
  });
  const { position = null, final: isFinal = true } = moment.data ?? {};
  const shownAt = isPosition(at) ? moment.data?.at : at;
  return (
    <div className={styles.strip}>
      <p>
        Memory as of{' '}
        <strong>{shownAt === undefined ? `position ${at}` : momentWords(shownAt)}</strong>
        {position !== null && `, position ${position}`}
        {!isFinal && ', not final yet'}
        {moment.isError && `: ${wordsOf(moment.error).title}`}
        {!hasPast && ' · this page shows the present'}
      </p>
      <Button kind="quiet" onClick={() => show(undefined)}>
        Back to now
      </Button>
    </div>
  );
}

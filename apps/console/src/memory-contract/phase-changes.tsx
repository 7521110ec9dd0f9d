import { useQuery } from '@tanstack/react-query';
import type { MaceClient } from '#client/index.js';
import { useMoment } from '../moment/use-moment';
import { useMace } from '../session/session-provider';
import { Badge } from '../ui/badge';
import { ErrorNotice } from '../ui/error-notice';
import { Loading } from '../ui/loading';
import { LongText } from '../ui/long-text';
import { Message } from '../ui/message';
import { WhyLink } from '../why/why-link';
import type { StoreOf } from './spaces-search';
import styles from './spaces.module.css';
import cards from '../ui/cards.module.css';

interface PhaseChangesProps extends StoreOf {
  readonly from: string;
  readonly to: string;
}

/** What changed from one phase to another, in texts: which item replaced which, which came, and which left. */
export function PhaseChanges({ space, owner, from, to }: PhaseChangesProps) {
  const mace = useMace();
  const moment = useMoment();
  const changes = useQuery({
    queryKey: ['phase-changes', space, owner, from, to, moment],
    queryFn: async ({ signal }) => {
      const between = { from, to, ...moment };
      const diff = await mace.memory.phaseDiff(space, owner, between, { signal });
      const ids = diff.top_changes.flatMap(({ memory_id, from_id, to_id }) =>
        [memory_id, from_id, to_id].filter((id) => id !== undefined),
      );
      return { ...diff, texts: await textsOf(mace, ids, signal) };
    },
  });
  if (changes.isPending) return <Loading what="the difference" />;
  if (changes.isLoadingError)
    return <ErrorNotice error={changes.error} retry={() => void changes.refetch()} />;
  const { top_changes, summary_lines, added_count, deleted_count, replaced_count, texts } =
    changes.data;
  if (top_changes.length === 0) return <Message title={`Nothing changed from ${from} to ${to}`} />;
  const total = added_count + deleted_count + replaced_count;
  return (
    <>
      <p>
        {summary_lines.join(', ')}
        {total > top_changes.length && `. The first ${top_changes.length} are shown.`}
      </p>
      <ul className={cards.cards}>
        {top_changes.map(({ change, dedupe_key, from_id, to_id, memory_id, kind, to_kind }) => (
          <li key={`${from_id} ${to_id} ${memory_id}`} className={cards.card}>
            <div className={styles.heading}>
              <Badge kind={change === 'deleted' ? 'bad' : change === 'added' ? 'good' : 'warning'}>
                {change}
              </Badge>
              <span>{to_kind ?? kind}</span>
              {dedupe_key !== undefined && <span>same key</span>}
            </div>
            {change === 'replaced' ? (
              <div className={styles.texts}>
                <Side kind="removed" name="Before" id={from_id} texts={texts} />
                <Side kind="added" name="After" id={to_id} texts={texts} />
              </div>
            ) : (
              <Side
                kind={change === 'added' ? 'added' : 'removed'}
                name={change === 'added' ? 'Added' : 'Deleted'}
                id={memory_id}
                texts={texts}
              />
            )}
          </li>
        ))}
      </ul>
    </>
  );
}

interface SideProps {
  readonly kind: 'added' | 'removed';
  readonly name: string;
  readonly id: string | undefined;
  readonly texts: ReadonlyMap<string, string>;
}

function Side({ kind, name, id, texts }: SideProps) {
  if (id === undefined) return null;
  return (
    <div className={`${styles.side} ${styles[kind]}`}>
      <div className={styles.heading}>
        <span>{name}</span>
        <WhyLink kind="memory_item" id={id}>
          {id}
        </WhyLink>
      </div>
      <LongText text={texts.get(id) ?? ''} />
    </div>
  );
}

/** Returns the texts of items, also of those that were deleted since. */
async function textsOf(
  mace: MaceClient,
  ids: readonly string[],
  signal: AbortSignal,
): Promise<ReadonlyMap<string, string>> {
  const answers = await Promise.all(
    [...new Set(ids)].map((id) => mace.why.of({ kind: 'memory_item', id }, { signal })),
  );
  return new Map(
    answers.map(({ id, promotions }) => [
      id,
      promotions.find((item) => item.id === id)?.text ?? '',
    ]),
  );
}

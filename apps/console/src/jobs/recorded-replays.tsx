import { queryOptions, useQuery } from '@tanstack/react-query';
import type { JobReplay, MaceClient } from '#client/index.js';
import { EventReceipt } from '../privacy/event-receipt';
import { useMace } from '../session/session-provider';
import { type Column, DataTable } from '../ui/data-table';
import { Instant, inWords } from '../ui/instant';
import { VisibleText } from '../ui/visible-text';

/** How many of the last replays the page lists. */
const SHOWN = 20;

const COLUMNS: readonly Column<JobReplay>[] = [
  { name: 'Who', cell: ({ sub }) => <VisibleText text={sub} /> },
  { name: 'How it ended', cell: (replay) => endOf(replay) },
  { name: 'Mode', cell: ({ mode }) => mode },
  { name: 'When', cell: ({ recorded_at }) => <Instant at={recorded_at} /> },
  { name: 'Content hash', cell: ({ content_hash }) => <code>{content_hash.slice(0, 16)}…</code> },
  { name: 'Receipt', cell: (replay) => <EventReceipt entry={replay} /> },
];

export const replaysQuery = (mace: MaceClient, seed: string) =>
  queryOptions({
    queryKey: ['replays', seed],
    queryFn: ({ signal }) => mace.job(seed).replays({ limit: SHOWN }, { signal }),
  });

/** Who replayed the job before, as the log has it. It proves nothing about the job as it is now. */
export function RecordedReplays({ seed }: { readonly seed: string }) {
  const mace = useMace();
  const { data, isLoadingError } = useQuery(replaysQuery(mace, seed));
  if (isLoadingError) return <p>The earlier replays of this job cannot be listed now.</p>;
  if (data === undefined) return null;
  const [last] = data.replays;
  if (last === undefined) return <p>No replay of this job is on record.</p>;
  return (
    <details>
      <summary>
        Last replayed by <VisibleText text={last.sub} />: {endOf(last)}, {inWords(last.recorded_at)}
      </summary>
      <DataTable
        label={data.next_cursor === null ? 'Replays on record' : `The last ${SHOWN} replays`}
        columns={COLUMNS}
        rows={data.replays}
        keyOf={({ event }) => event.position}
        empty={null}
      />
    </details>
  );
}

function endOf({ identical, code, diverged_at, events_checked }: JobReplay): string {
  if (!identical)
    return `${code === 'INTEGRITY_FAILURE' ? 'broken' : 'diverged'} at event ${diverged_at ?? 0}`;
  if (code !== null) return 'identical, but a snapshot that it had read is missing';
  return `identical up to event ${(events_checked - 1).toLocaleString('en')}`;
}

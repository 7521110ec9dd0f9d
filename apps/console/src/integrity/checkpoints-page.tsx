import type { CheckpointRun, LogCheckpointsPage } from '#client/index.js';
import { useChange, usePages } from '../data/queries';
import { SaveJson } from '../data/save-json';
import { useLive } from '../live/live';
import { Answered } from '../ui/answered';
import { Button } from '../ui/button';
import { ErrorNotice } from '../ui/error-notice';
import { inWords } from '../ui/instant';
import { Message } from '../ui/message';
import { Facts, Row, Section } from '../ui/stack';
import { VisibleText } from '../ui/visible-text';
import { CheckpointList } from './checkpoint-list';
import { Comparison } from './comparison';
import { IntegrityFrame } from './integrity-frame';
import { placeName } from './place-name';
import { counted } from './report';

const WHILE_RUNNING_MS = 1_000;
/** Another instance, or the schedule, may make a checkpoint. */
const OTHERWISE_MS = 10_000;

const madeInWords = ({ found, finished_at }: CheckpointRun): string | undefined =>
  finished_at === null
    ? undefined
    : found === 0
      ? 'The checkpoint is made.'
      : `The checkpoint is made, of a log with ${counted(found, 'finding')}.`;

/** Makes checkpoints of the log, lists them with their age and their places, and compares the log with them. */
export function CheckpointsPage() {
  const make = useChange((mace) => mace.integrity.checkpoint(), {
    done: madeInWords,
    changes: ['checkpoints'],
  });
  const list = usePages(
    ['checkpoints'],
    (mace, page, call) => mace.integrity.checkpoints(page, call),
    { refetchInterval: make.isPending ? WHILE_RUNNING_MS : OTHERWISE_MS },
  );
  useLive(['checkpoint'], ['checkpoints']);
  const running = list.data?.pages[0]?.running ?? null;
  return (
    <IntegrityFrame
      title="Checkpoints of the log"
      about="A checkpoint signs where every stream of the log ends. A later comparison finds each stream that was changed, cut or deleted, even if the whole log was written anew."
    >
      <Row>
        <Button
          kind="primary"
          disabled={make.isPending || running !== null}
          onClick={() => make.mutate()}
        >
          {make.isPending || running !== null ? 'A checkpoint is made' : 'Make a checkpoint now'}
        </Button>
        <SaveJson
          kind="plain"
          file="keys.json"
          title="The public keys of the service’s signatures, for mace verify --key"
          read={(mace) => mace.integrity.keys()}
        >
          Save the public keys
        </SaveJson>
      </Row>
      {make.isError && <ErrorNotice error={make.error} />}
      {running !== null && <Making run={running} />}
      <Answered query={list} what="the checkpoints">
        {({ pages }) => (
          <>
            <CheckpointList
              checkpoints={pages.flatMap(({ checkpoints }) => checkpoints)}
              list={list}
            />
            {pages[0] !== undefined && <Schedule of={pages[0].schedule} />}
          </>
        )}
      </Answered>
      <Comparison />
    </IntegrityFrame>
  );
}

const Making = ({ run: { events, started_at, found } }: { readonly run: CheckpointRun }) => (
  <Message title={`A checkpoint is made: ${counted(events, 'event')} checked`}>
    <p>
      Started {inWords(started_at)}.{' '}
      {found === 0 ? 'Nothing was found so far.' : `${counted(found, 'finding')} so far.`} You can
      leave this page.
    </p>
  </Message>
);

function everyInWords(minutes: number): string {
  if (minutes % 1_440 === 0) return counted(minutes / 1_440, 'day');
  return minutes % 60 === 0 ? counted(minutes / 60, 'hour') : counted(minutes, 'minute');
}

const Schedule = ({ of: schedule }: { readonly of: LogCheckpointsPage['schedule'] }) => {
  const { every_minutes: every, places, lock_days: days } = schedule;
  return (
    <Section title="Schedule and places">
      <Facts
        facts={[
          [
            'Made',
            every === null
              ? 'only on request: MACE_CHECKPOINT_EVERY is not set'
              : `every ${everyInWords(every)}, if the log has grown`,
          ],
          ['Kept in', <VisibleText key="places" text={places.map(placeName).join(', ')} />],
          [
            'Locked',
            days === null
              ? 'not: MACE_CHECKPOINT_LOCK_DAYS is not set'
              : `in buckets for ${counted(days, 'day')}`,
          ],
        ]}
      />
      {places.includes('data_dir') && (
        <Message title="No place outside keeps the checkpoints" kind="warning">
          Whoever can change the log here can probably delete them as well. Name a place in
          MACE_CHECKPOINT_PLACE, or download each file and keep it elsewhere.
        </Message>
      )}
    </Section>
  );
};

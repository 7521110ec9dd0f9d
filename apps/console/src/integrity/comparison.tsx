import type { LogComparison } from '#client/index.js';
import { useChange, useRead } from '../data/queries';
import { Answered } from '../ui/answered';
import { ErrorNotice } from '../ui/error-notice';
import { Field } from '../ui/field';
import { Age, Instant } from '../ui/instant';
import { Message } from '../ui/message';
import { Facts, Section } from '../ui/stack';
import { VisibleText } from '../ui/visible-text';
import { Findings } from './findings';
import { counted } from './report';

const WHILE_RUNNING_MS = 1_000;
const OTHERWISE_MS = 5_000;

/** What a comparison that ended says; undefined while it runs. */
export const comparedInWords = ({ finished_at, found }: LogComparison): string | undefined =>
  finished_at === null
    ? undefined
    : found === 0
      ? 'The log has everything that the checkpoint has, unchanged.'
      : `${counted(found, 'finding')}: the log is not as the checkpoint has it.`;

/** Compares the log with a file that the reader has, and shows the last comparison. */
export function Comparison() {
  const compare = useChange((mace, file: File) => mace.integrity.compareFile(file), {
    done: comparedInWords,
    changes: ['comparisons'],
  });
  const comparisons = useRead(['comparisons'], (mace, call) => mace.integrity.comparisons(call), {
    refetchInterval: ({ state }) =>
      compare.isPending || state.data?.running ? WHILE_RUNNING_MS : OTHERWISE_MS,
  });
  return (
    <Section title="Comparison">
      <Field
        label="Compare the log with a file"
        hint="A checkpoint that was kept elsewhere, also one of mace checkpoint."
      >
        {(field) => (
          <input
            {...field}
            type="file"
            disabled={compare.isPending}
            onChange={({ target }) => {
              const [file] = target.files ?? [];
              if (file !== undefined) compare.mutate(file);
              // The same file can be chosen again.
              target.value = '';
            }}
          />
        )}
      </Field>
      {compare.isError && <ErrorNotice error={compare.error} />}
      <Answered query={comparisons} what="the last comparison">
        {({ last, running }) => (
          <>
            {running !== null && (
              <Message title={`The comparison runs: ${counted(running.events, 'event')} checked`}>
                You can leave this page.
              </Message>
            )}
            {last === null ? (
              <Message title="The log was not compared with a checkpoint yet" />
            ) : (
              <Result of={last} />
            )}
          </>
        )}
      </Answered>
    </Section>
  );
}

function Result({ of: comparison }: { readonly of: LogComparison }) {
  const { checkpoint, events, found, finished_at, started_at } = comparison;
  return (
    <>
      <Message
        title={comparedInWords(comparison) ?? ''}
        kind={found > 0 ? 'bad' : checkpoint.is_of_this_service ? 'good' : 'warning'}
      >
        <Facts
          facts={[
            ['Compared', <Age key="at" at={finished_at ?? started_at} />],
            ['Checkpoint of', <Instant key="of" at={checkpoint.created_at} />],
            [
              'Covers',
              `${counted(checkpoint.streams, 'stream')} up to position ${checkpoint.position}`,
            ],
            ['Events checked', events.toLocaleString('en')],
            [
              'Signed by',
              checkpoint.is_of_this_service ? (
                'a key of this service'
              ) : (
                <span key="key">
                  another key, <VisibleText text={checkpoint.key_id} />
                </span>
              ),
            ],
          ]}
        />
      </Message>
      {found > 0 && <Findings {...comparison} />}
    </>
  );
}

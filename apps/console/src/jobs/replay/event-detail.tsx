import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Json } from '#client/index.js';
import { Button } from '../../ui/button';
import { ErrorNotice } from '../../ui/error-notice';
import { JsonView } from '../../ui/json-view';
import { Loading } from '../../ui/loading';
import { VisibleText } from '../../ui/visible-text';
import type { JobRecord, RecordEvent } from '../record/job-record';
import { plainQuery } from '../record/use-record';
import { kindOf, wordsOf } from './event-words';
import { KindMark } from './kind-mark';
import { Moment } from './moment';
import { NamedThings } from './named-things';
import { timeOf } from './place-of-event';
import type { Clock } from './replay-search';
import { Terms } from '../../ui/terms';
import styles from './replay.module.css';

const CHAIN_START = '0'.repeat(64);
const MAX_WORDS = 2_000;

interface EventDetailProps {
  readonly record: JobRecord;
  readonly event: RecordEvent;
  /** Undefined at the first event. */
  readonly before: RecordEvent | undefined;
  readonly start: string | undefined;
  readonly clock: Clock;
  /** True if the runtime gave the time of the job; else its seeded times are logical. */
  readonly hasGivenTime: boolean;
}

/** The event at the cursor: in words, its metadata, and the whole event as JSON or Plain. */
export function EventDetail(props: EventDetailProps) {
  const { record, event, start, clock } = props;
  return (
    <section className={styles.panel} aria-labelledby="event">
      <h2 id="event">
        Event {event.number.toLocaleString('en')} <KindMark kind={kindOf(event.type)} />
      </h2>
      <p>
        <VisibleText text={wordsOf(event).slice(0, MAX_WORDS)} />
      </p>
      <Terms
        terms={[
          ...metadataOf(props).map(([name, value]) => [name, name, <code>{value}</code>] as const),
          [
            ...(['Recorded at', 'Recorded at'] as const),
            <Moment at={timeOf(event)} start={start} clock={clock} />,
          ],
        ]}
      />
      {record.service !== undefined && <NamedThings event={event} />}
      <Verbatim record={record} event={event} />
    </section>
  );
}

function metadataOf({ event, before, hasGivenTime }: EventDetailProps): [string, string][] {
  const { metadata, position } = event;
  const of = (name: string): string => {
    const value = metadata[name];
    return typeof value === 'string' ? value : JSON.stringify(value ?? null);
  };
  return [
    ['Type', event.type],
    ['Position in the log', position ?? 'not in the bundle'],
    ['Hash', of('hash')],
    ['Hash before (prev)', hashBefore(event, before)],
    ['Trace id', of('trace_id')],
    ['Written by', of('actor')],
    ...(hasGivenTime ? [['Given time', of('seeded_ts')] as [string, string]] : []),
    ['Command', of('command_id')],
  ];
}

function hashBefore(event: RecordEvent, before: RecordEvent | undefined): string {
  if (event.number === 0) return CHAIN_START;
  const hash = before?.metadata['hash'];
  return typeof hash === 'string' ? hash : '–';
}

function Verbatim({ record, event }: Pick<EventDetailProps, 'record' | 'event'>) {
  const [form, setForm] = useState<'json' | 'plain'>('json');
  const plain = useQuery({ ...plainQuery(record, event.number), enabled: form === 'plain' });
  return (
    <>
      <div className={styles.group} role="group" aria-label="Form of the event">
        {(['json', 'plain'] as const).map((name) => (
          <Button key={name} aria-pressed={form === name} onClick={() => setForm(name)}>
            {name === 'json' ? 'JSON' : 'Plain'}
          </Button>
        ))}
      </div>
      {form === 'json' && <JsonView label="Event as JSON" value={event as unknown as Json} />}
      {form === 'plain' && plain.isPending && <Loading what="the event" />}
      {form === 'plain' && plain.isError && <ErrorNotice error={plain.error} />}
      {form === 'plain' && plain.data !== undefined && (
        <JsonView label="Event as plain text" value={plain.data} />
      )}
    </>
  );
}

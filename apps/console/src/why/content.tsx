import { useQuery } from '@tanstack/react-query';
import type { AccessOptions, CallOptions, Json, MaceClient, WhyThing } from '#client/index.js';
import { type Moment, useMoment } from '../moment/use-moment';
import { UnredactedRead } from '../privacy/unredacted-read';
import { useMace } from '../session/session-provider';
import { Answered } from '../ui/answered';
import { JsonView } from '../ui/json-view';
import { Message } from '../ui/message';
import { Section } from '../ui/section';
import { KIND_WORDS } from './why-search';

interface ContentProps {
  readonly thing: WhyThing;
  /** The stream that holds the thing. */
  readonly stream: string;
}

/** Returns what a thing says; undefined if it does not exist any more. */
type Read = (
  options: AccessOptions & CallOptions & { readonly unredacted?: 'true' },
) => Promise<Json | undefined>;

/** Returns how a thing is read; undefined for an item, whose way between spaces has its texts. */
function readOf(mace: MaceClient, { kind, id }: WhyThing, moment: Moment): Read | undefined {
  switch (kind) {
    case 'fact':
      return async ({ unredacted, ...options }) => {
        const at = unredacted === undefined ? {} : { unredacted };
        const fact = await mace.sem.get(id, { ...moment, ...at }, options);
        return fact.exists ? fact.value : undefined;
      };
    case 'episode':
      return async (options) => {
        const { summary, payload = null, evidence } = await mace.episodes.get(id, options);
        return { summary, payload, evidence: [...evidence] };
      };
    case 'note':
      return async (options) => {
        const note = await mace.notes.ofStream(id, { ...moment, ...options });
        if (note === undefined) return undefined;
        const { namespace, key, value } = note;
        return { namespace: [...namespace], key, value };
      };
    case 'memory_item':
      return undefined;
  }
}

/** What the thing says, as the reader may see it. */
export function Content({ thing, stream }: ContentProps) {
  const moment = useMoment();
  const read = readOf(useMace(), thing, moment);
  return (
    read !== undefined && (
      <Section title="What it says">
        <Value {...{ thing, stream, read }} />
      </Section>
    )
  );
}

function Value({ thing: { kind, id }, stream, read }: ContentProps & { readonly read: Read }) {
  const content = useQuery({
    queryKey: ['why-content', kind, id, useMoment()],
    queryFn: async ({ signal }) => ({ value: await read({ signal }) }),
  });
  return (
    <Answered query={content} what={`the ${KIND_WORDS[kind]}`}>
      {({ value }) =>
        value === undefined ? (
          <Message title="It says nothing now">It was deleted, or it has expired.</Message>
        ) : (
          <>
            <JsonView value={value} label={`The ${KIND_WORDS[kind]}`} />
            <UnredactedRead
              key={`${kind} ${id}`}
              what={`the ${KIND_WORDS[kind]} ${id}`}
              redacted={value}
              stream={stream}
              read={async (options) => (await read({ ...options, unredacted: 'true' })) ?? null}
            />
          </>
        )
      }
    </Answered>
  );
}

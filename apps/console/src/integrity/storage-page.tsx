import type { ServiceStatus } from '#client/index.js';
import { useRead, usePages } from '../data/queries';
import { Answered } from '../ui/answered';
import { Instant } from '../ui/instant';
import { Message } from '../ui/message';
import { Facts, Section } from '../ui/stack';
import { IntegrityFrame } from './integrity-frame';
import { WaitingWrites } from './waiting-writes';

const POLL_MS = 5_000;

/** Shows how much room the log has, and the writes that wait for room or for a person (SPEC F2). */
export function StoragePage() {
  const status = useRead(['status'], (mace, call) => mace.admin.status(call), {
    refetchInterval: POLL_MS,
  });
  const queue = usePages(
    ['storage-queue'],
    (mace, page, call) => mace.admin.queue.list(page, call),
    { refetchInterval: POLL_MS },
  );
  return (
    <IntegrityFrame
      title="Storage"
      about="The room of the event log, and the writes that were refused because it had none."
    >
      <Answered query={status} what="the room of the log">
        {({ storage }) => <Room storage={storage} />}
      </Answered>
      <Section title="Waiting writes">
        <Answered query={queue} what="the waiting writes">
          {({ pages }) => (
            <WaitingWrites writes={pages.flatMap(({ entries }) => entries)} list={queue} />
          )}
        </Answered>
      </Section>
    </IntegrityFrame>
  );
}

const UNITS = ['B', 'kB', 'MB', 'GB', 'TB'] as const;

/** A number of bytes in the unit that people read. */
export function bytesInWords(bytes: number | null): string {
  if (bytes === null) return 'not known: the event store is elsewhere';
  const power = Math.min(UNITS.length - 1, Math.floor(Math.log10(Math.max(bytes, 1)) / 3));
  const shown = bytes / 1_000 ** power;
  return `${power === 0 ? shown : shown.toFixed(1)} ${UNITS[power]}`;
}

function Room({ storage }: { readonly storage: ServiceStatus['storage'] }) {
  const { full_since, used_bytes, free_bytes, needs } = storage;
  return (
    <>
      {full_since !== null && (
        <Message title="The log has no room: writes are refused" kind="bad">
          <p>
            Since <Instant at={full_since} />. It needs {needs}.
          </p>
        </Message>
      )}
      <Facts
        facts={[
          ['Size of the log', bytesInWords(used_bytes)],
          ['Free', bytesInWords(free_bytes)],
          ['What makes room', needs],
        ]}
      />
    </>
  );
}

import { getRouteApi } from '@tanstack/react-router';
import { usePages } from '../data/queries';
import { useLive } from '../live/live';
import { Answered } from '../ui/answered';
import { MoreButton } from '../ui/more-button';
import { Message } from '../ui/message';
import { IntegrityFrame } from './integrity-frame';
import { QuarantineEntry } from './quarantine-entry';

const route = getRouteApi('/shell/integrity/quarantine');

/** Lists the logs and rows that failed their checks, each with what was found and what the log says. */
export function QuarantinePage() {
  const { entry: opened } = route.useSearch();
  const list = usePages(['quarantine'], (mace, page, call) =>
    mace.reflectiveLogs.quarantine(page, call),
  );
  // A row that was changed is recorded in the stream of its log, and a log that was refused in one of its own.
  useLive(['reflective', 'quarantine'], ['quarantine']);
  return (
    <IntegrityFrame
      title="Quarantine"
      about="ReflectiveLogs that failed their checks, after the privacy gate, the oldest first."
    >
      <Answered query={list} what="the quarantine">
        {({ pages }) => {
          const entries = pages.flatMap(({ quarantine }) => quarantine);
          if (entries.length === 0) return <Empty />;
          return (
            <>
              {entries.map((entry) => (
                <QuarantineEntry
                  key={entry.quarantine_id}
                  entry={entry}
                  isOpen={entry.quarantine_id === opened}
                />
              ))}
              <MoreButton list={list} />
            </>
          );
        }}
      </Answered>
    </IntegrityFrame>
  );
}

const Empty = () => (
  <Message title="The quarantine is empty" kind="good">
    No ReflectiveLog failed a check. The page of the verification has a check that you can start.
  </Message>
);

import { getRouteApi } from '@tanstack/react-router';
import type { Json } from '#client/index.js';
import type { JsonObject } from '#client/index.js';
import type { QuarantineEntry as Entry } from '#client/index.js';
import { usePages } from '../data/queries';
import { useLive } from '../live/live';
import { Answered } from '../ui/answered';
import { Badge } from '../ui/badge';
import { Instant } from '../ui/instant';
import { JsonView } from '../ui/json-view';
import { MoreButton } from '../ui/more-button';
import { Message } from '../ui/message';
import { Facts, Row } from '../ui/stack';
import { VisibleText } from '../ui/visible-text';
import { IntegrityFrame } from './integrity-frame';
import styles from './quarantine-entry.module.css';

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

const FAULTS: Readonly<Record<Entry['fault'], string>> = {
  tampered: 'a row was changed',
  missing: 'a row was deleted',
  forged: 'a row without an event',
  submitted: 'a submitted log was refused',
};

interface QuarantineEntryProps {
  readonly entry: Entry;
  readonly isOpen: boolean;
}

/** An entry of the quarantine: what failed and, opened, both versions side by side. */
function QuarantineEntry({ entry, isOpen }: QuarantineEntryProps) {
  const { quarantine_id, fault, log_id, reason, at, detail } = entry;
  return (
    <details className={styles.entry} open={isOpen}>
      <summary className={styles.summary}>
        <Row>
          <Badge kind={fault === 'submitted' ? 'warning' : 'bad'}>{FAULTS[fault]}</Badge>
          <Instant at={at} />
          <VisibleText text={reason} />
        </Row>
      </summary>
      <div className={styles.body}>
        <Facts
          facts={[
            ['Quarantine id', <code key="id">{quarantine_id}</code>],
            ['ReflectiveLog', log_id === null ? 'without an id' : <VisibleText text={log_id} />],
          ]}
        />
        <Versions detail={detail} />
      </div>
    </details>
  );
}

const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A row has a found and a recorded version; a submitted log has only its content. */
function Versions({ detail }: { readonly detail: JsonObject }) {
  const { found, recorded, ...rest } = detail;
  if (!isObject(found) || !isObject(recorded)) return <JsonView value={detail} label="Content" />;
  return (
    <>
      <div className={styles.versions}>
        <Version title="Found in the read model" value={found} />
        <Version title="Recorded in the log" value={recorded} />
      </div>
      <JsonView value={rest} label="Further details" />
    </>
  );
}

const Version = ({ title, value }: { readonly title: string; readonly value: JsonObject }) => (
  <div className={styles.version}>
    <h2>{title}</h2>
    {Object.keys(value).length === 0 ? (
      <p>The row is gone.</p>
    ) : (
      <JsonView value={value} label={title} />
    )}
  </div>
);

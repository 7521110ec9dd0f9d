import type { Json, JsonObject, QuarantineEntry as Entry } from '#client/index.js';
import { Badge } from '../ui/badge';
import { Instant } from '../ui/instant';
import { JsonView } from '../ui/json-view';
import { Facts, Row } from '../ui/stack';
import { VisibleText } from '../ui/visible-text';
import styles from './quarantine-entry.module.css';

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
export function QuarantineEntry({ entry, isOpen }: QuarantineEntryProps) {
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

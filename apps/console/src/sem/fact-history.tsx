import type { FactEvent } from '#client/index.js';
import { useMoment } from '../moment/use-moment';
import { Approval } from '../ui/approval';
import { Badge } from '../ui/badge';
import { EventPlace } from '../ui/event-place';
import { Instant, inWords } from '../ui/instant';
import { JsonView } from '../ui/json-view';
import { Facts } from '../ui/section';
import { VisibleText } from '../ui/visible-text';
import { FactLink } from './fact-link';
import styles from './facts.module.css';

interface FactHistoryProps {
  readonly of: string;
  /** Newest first. */
  readonly events: readonly FactEvent[];
}

/** The events of a fact, newest first: who wrote what, when, why, and where the log has it. */
export function FactHistory({ of, events }: FactHistoryProps) {
  const winner = events.find(({ superseded }) => superseded === false);
  return (
    <ol className={styles.events} reversed>
      {events.map((event) => (
        <HistoryEvent key={event.version} of={of} event={event} isCurrent={event === winner} />
      ))}
    </ol>
  );
}

interface HistoryEventProps {
  readonly of: string;
  readonly event: FactEvent;
  readonly isCurrent: boolean;
}

function HistoryEvent({ of, event, isCurrent }: HistoryEventProps) {
  const { version, value } = event;
  const isPast = useMoment().at !== undefined;
  const { words, mark, badge } = stateOf(event, isCurrent, isPast ? 'then' : 'now');
  return (
    <li className={`${styles.event} ${mark}`}>
      <div className={styles.heading}>
        <h3>
          Version {version}: {words}
        </h3>
        {badge}
        {value !== undefined && (
          <FactLink of={of} at={{ version }}>
            Read at version {version}
          </FactLink>
        )}
      </div>
      {value !== undefined && <JsonView value={value} label={`Value of version ${version}`} />}
      <Circumstances event={event} />
      <EventPlace event={event.event} />
    </li>
  );
}

/** Says what an event did to the fact. */
function stateOf({ type, superseded }: FactEvent, isCurrent: boolean, when: 'now' | 'then') {
  switch (type) {
    case 'fact_put':
      if (superseded === true)
        return {
          words: 'written, superseded',
          mark: styles.lost,
          badge: (
            <Badge
              kind="warning"
              title="The fact already had a later write. This one changed only the history."
            >
              superseded at once
            </Badge>
          ),
        };
      return {
        words: 'written',
        mark: isCurrent ? styles.current : '',
        badge: isCurrent ? (
          <Badge kind="good">the value {when}</Badge>
        ) : (
          <Badge>replaced later</Badge>
        ),
      };
    case 'fact_deleted':
      return {
        words: superseded === true ? 'deleted, superseded' : 'deleted',
        mark: styles.gone,
        badge:
          superseded === true ? (
            <Badge kind="warning">superseded at once</Badge>
          ) : (
            <Badge kind="bad">deleted</Badge>
          ),
      };
    case 'key_claimed':
      return { words: 'key claimed for a title', mark: '', badge: <Badge>claim</Badge> };
    case 'collision_event':
      return {
        words: 'another title met the key',
        mark: styles.lost,
        badge: <Badge kind="warning">collision</Badge>,
      };
    case 'collision_closed':
      return { words: 'collision closed', mark: '', badge: <Badge>closed</Badge> };
  }
}

function Circumstances({ event }: { readonly event: FactEvent }) {
  const { actor, source, recorded_at, timestamp, title, reason } = event;
  const { request = null, approved_by = null, notes = null, meta = null } = event;
  return (
    <Facts
      of={{
        Who: (
          <>
            <VisibleText text={actor} />
            {source !== undefined && (
              <>
                {' '}
                (source <VisibleText text={source} />)
              </>
            )}
          </>
        ),
        When: (
          <>
            <Instant at={recorded_at} />, {inWords(recorded_at)}
          </>
        ),
        'Time of the write':
          timestamp === undefined || timestamp === recorded_at ? null : <Instant at={timestamp} />,
        Justification:
          request === null ? null : (
            <VisibleText text={request.justification ?? 'You may not read the request.'} />
          ),
        'Approved by': approved_by === null ? null : <Approval by={approved_by} />,
        Notes: notes === null ? null : <VisibleText text={notes} />,
        Title: title === undefined ? null : <VisibleText text={title} />,
        Reason: reason === undefined ? null : <VisibleText text={reason} />,
        Metadata:
          meta === null ? null : (
            <JsonView value={meta} label={`Metadata of version ${event.version}`} />
          ),
      }}
    />
  );
}

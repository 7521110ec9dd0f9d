import { Link } from '@tanstack/react-router';
import type { Why } from '#client/index.js';
import { FactLink } from '../sem/fact-link';
import { StoreLink } from '../memory-contract/store-link';
import { Approval } from '../ui/approval';
import { Badge } from '../ui/badge';
import { EventPlace } from '../ui/event-place';
import { Instant, inWords } from '../ui/instant';
import { LongText } from '../ui/long-text';
import { Message } from '../ui/message';
import { Facts, Section } from '../ui/section';
import { VisibleText } from '../ui/visible-text';
import { WhyLink } from './why-link';
import styles from './why.module.css';
import cards from '../ui/cards.module.css';

/** The event that put a thing into memory, and what stands behind it. */
export function Origin({ why }: { readonly why: Why }) {
  const { kind, id, source, request, approved_by, promotions } = why;
  return (
    <>
      <Section title="Where it came from">
        {source === null ? (
          <Message title="It has no value now">
            <p>The fact was deleted, or only its key was claimed.</p>
          </Message>
        ) : (
          <Facts
            of={{
              Event: (
                <>
                  <code>{source.type}</code>
                  <EventPlace event={source.event} />
                </>
              ),
              'Caused by': <VisibleText text={source.actor} />,
              When: (
                <>
                  <Instant at={source.recorded_at} />, {inWords(source.recorded_at)}
                </>
              ),
              'Approved by': approved_by === null ? null : <Approval by={approved_by} />,
              Justification:
                request === null || request.justification === null ? null : (
                  <LongText text={request.justification} />
                ),
              ...placesOf(why),
            }}
          />
        )}
        {kind === 'fact' && <FactLink of={id}>The fact and its history</FactLink>}
      </Section>
      {promotions.length > 0 && <Way items={promotions} of={id} />}
    </>
  );
}

const placesOf = ({ kind, episodic_id, job_seed, session_id }: Why) => ({
  Episode:
    episodic_id === null || kind === 'episode' ? null : (
      <WhyLink kind="episode" id={episodic_id}>
        {episodic_id}
      </WhyLink>
    ),
  Job:
    job_seed === null ? null : (
      <Link to="/jobs/$seed" params={{ seed: job_seed }}>
        {job_seed}
      </Link>
    ),
  Session:
    session_id === null ? null : (
      <Link to="/jobs" search={{ session: session_id }}>
        {session_id}
      </Link>
    ),
});

interface WayProps {
  readonly items: Why['promotions'];
  /** The item that the page is about. */
  readonly of: string;
}

/** The way of an item between spaces, the oldest first. */
const Way = ({ items, of }: WayProps) => (
  <Section title="Its way between spaces">
    <ol className={cards.cards}>
      {items.map((item) => (
        <li key={item.id} className={cards.card}>
          <div className={styles.heading}>
            <StoreLink space={item.space} owner={item.owner} />
            {item.id === of ? (
              <Badge kind="good">this item</Badge>
            ) : (
              <WhyLink kind="memory_item" id={item.id} />
            )}
            {item.deleted_reason === null ? (
              <Badge>stored</Badge>
            ) : (
              <Badge kind="warning">{item.deleted_reason}</Badge>
            )}
          </div>
          <LongText text={item.text} />
          <Facts
            of={{
              Id: <VisibleText text={item.id} />,
              Tick: item.created_at,
              'Promoted because': item.promotion_reason,
              'Made from': item.made_from.length === 0 ? null : <MadeFrom ids={item.made_from} />,
              'Replaced by':
                item.replaced_by === null ? null : (
                  <WhyLink kind="memory_item" id={item.replaced_by}>
                    {item.replaced_by}
                  </WhyLink>
                ),
            }}
          />
        </li>
      ))}
    </ol>
  </Section>
);

const MadeFrom = ({ ids }: { readonly ids: readonly string[] }) => (
  <ul className={styles.ids}>
    {ids.map((id) => (
      <li key={id}>
        <WhyLink kind="memory_item" id={id}>
          {id}
        </WhyLink>
      </li>
    ))}
  </ul>
);

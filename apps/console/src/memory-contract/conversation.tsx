import { keepPreviousData } from '@tanstack/react-query';
import { useState } from 'react';
import type { Json, MemoryTurn } from '#client/index.js';
import { memoryStream } from '#domain/stream-names.js';
import { useRead } from '../data/queries';
import { given } from '../data/search-params';
import { useLive } from '../live/live';
import { useMoment } from '../moment/use-moment';
import { Answered } from '../ui/answered';
import { Button } from '../ui/button';
import { Instant } from '../ui/instant';
import { JsonView } from '../ui/json-view';
import { LongText } from '../ui/long-text';
import { Message } from '../ui/message';
import { Bar, Section } from '../ui/section';
import { VisibleText } from '../ui/visible-text';
import { WhyLink } from '../why/why-link';
import styles from './conversation.module.css';
import { DENIED } from './reasons';
import type { StorePartProps } from './spaces-search';
import { type Sentence, sentencesOf, type Side } from './turn-sentences';

const PAGE = 25;

/** A session as a conversation: its turns, and beside each what was kept, what was not, and why. */
export function Conversation({ space, owner, search, show }: StorePartProps) {
  const moment = useMoment();
  const { turn: from, before } = search;
  const key = ['turns', space, owner];
  useLive([memoryStream(space, owner)], key);
  const page = given({ from, before: from === undefined ? before : undefined });
  const turns = useRead(
    [...key, page, moment],
    (mace, call) => mace.memory.turns(space, owner, { ...page, ...moment, limit: PAGE }, call),
    { placeholderData: keepPreviousData },
  );
  return (
    <Section title="Conversation">
      <Answered query={turns} what="the conversation">
        {({ turns: rows, earlier, later }) => (
          <>
            <Bar>
              <Button disabled={earlier === null} onClick={() => show({ turn: 0 })}>
                First turns
              </Button>
              <Button
                disabled={earlier === null}
                onClick={() => show(earlier === null ? {} : { before: earlier })}
              >
                Earlier turns
              </Button>
              <Button
                disabled={later === null}
                onClick={() => show(later === null ? {} : { turn: later })}
              >
                Later turns
              </Button>
              <Button disabled={later === null} onClick={() => show({})}>
                Last turns
              </Button>
            </Bar>
            {rows.length === 0 ? (
              <Message
                title={
                  moment.at === undefined ? 'Nothing was said yet' : 'Nothing was said by then'
                }
              />
            ) : (
              <ol className={styles.turns}>
                {rows.map((turn) => (
                  <Turn key={turn.number} turn={turn} goTo={(event) => show({ turn: event })} />
                ))}
              </ol>
            )}
          </>
        )}
      </Answered>
    </Section>
  );
}

interface TurnProps {
  readonly turn: MemoryTurn;
  readonly goTo: (event: number) => void;
}

const NAMES: Readonly<Record<MemoryTurn['type'], string>> = {
  interaction_recorded: 'Turn',
  interaction_finished: 'End of an earlier turn',
  recall_asked: 'Recall',
  promotion_received: 'Items that came from another space',
  retention_applied: 'Items that were let go',
};

function Turn({ turn, goTo }: TurnProps) {
  const sentences = sentencesOf(turn);
  const beside = (side: Side) => ({
    sentences: sentences.filter((sentence) => sentence.side === side),
    goTo,
  });
  return (
    <li className={styles.turn}>
      <h3 className={styles.heading}>
        {NAMES[turn.type]} · <Instant at={turn.recorded_at} /> · event {turn.number}
      </h3>
      <Said name="User" side="user" said={turn.user} {...beside('user')} />
      <Said name="Tools" side="tool" said={turn.tool} {...beside('tool')} />
      <Said name="Assistant" side="ai" said={turn.ai} {...beside('ai')} />
      {turn.turn_altered !== undefined && (
        <Disclosed
          words="The caller changed the texts so that they could be stored."
          json={turn.turn_altered}
        />
      )}
      <Sentences label="The turn as a whole" {...beside('turn')} />
    </li>
  );
}

interface SentencesProps {
  readonly sentences: readonly Sentence[];
  readonly goTo: (event: number) => void;
}

interface SaidProps extends SentencesProps {
  readonly name: string;
  readonly side: Side;
  readonly said: MemoryTurn['user'];
}

/** The words of one speaker, and beside them what became of them. */
function Said({ name, side, said, ...beside }: SaidProps) {
  if (said === null)
    return beside.sentences.length === 0 ? null : <Sentences label={name} {...beside} />;
  const { text, withheld } = said;
  return (
    <div className={`${styles.said} ${styles[side]}`}>
      <div className={styles.words}>
        <p className={styles.speaker}>{name}</p>
        {text === null ? (
          <p className={styles.withheld}>
            {`The text is not in the log: ${DENIED[withheld ?? 'personal_data']}.`}
          </p>
        ) : (
          <LongText text={text.replace(/^tool_events:/, '')} />
        )}
      </div>
      <Sentences label={`What became of what the ${name.toLowerCase()} said`} {...beside} />
    </div>
  );
}

function Sentences({ label, sentences, goTo }: SentencesProps & { readonly label: string }) {
  if (sentences.length === 0) return null;
  return (
    <ul className={styles.sentences} aria-label={label}>
      {sentences.map((sentence) => (
        <li key={`${sentence.number} ${sentence.words}`} className={styles[sentence.tone]}>
          <Disclosed words={sentence.words} json={sentence.json}>
            {sentence.item !== undefined && <WhyLink kind="memory_item" id={sentence.item} />}
            {sentence.tone === 'later' && (
              <Button kind="quiet" onClick={() => goTo(sentence.number)}>
                Go to event {sentence.number}
              </Button>
            )}
          </Disclosed>
        </li>
      ))}
    </ul>
  );
}

interface DisclosedProps {
  readonly words: string;
  readonly json: Json;
  readonly children?: React.ReactNode;
}

/** A sentence that opens to the JSON behind it. */
function Disclosed({ words, json, children }: DisclosedProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>
        <VisibleText text={words} />
      </summary>
      {isOpen && (
        <>
          <JsonView value={json} label={`JSON: ${words}`} />
          {children}
        </>
      )}
    </details>
  );
}

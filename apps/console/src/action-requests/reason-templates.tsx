import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { useSession } from '../session/session-provider';
import { Button } from '../ui/button';
import { Row, Stack } from '../ui/stack';
import { VisibleText } from '../ui/visible-text';
import { KeyHint } from '../keys/key-hint';
import { isPressed } from '../keys/key-table';
import { REASON_KEYS } from './key-tables';
import styles from './requests.module.css';
import type { Kind, ReasonCode } from './words';

/** What a reason is for: an approval, an abstention, or a rejection with its code. */
export type ReasonFor = 'approve' | 'abstain' | ReasonCode;

const FACT_REASONS: Readonly<Record<ReasonFor, readonly string[]>> = {
  approve: ['The evidence supports the value.', 'I know the value from another source.'],
  abstain: ['I cannot judge this.', 'I am too close to the matter.'],
  untrue: ['The source says otherwise.', 'The number or the name is another one.'],
  unsupported: ['The cited episode does not say this.', 'One statement alone is not enough.'],
  out_of_date: ['The source is old. Propose it again with a present one.', 'It changed since.'],
  wrong_subject: [
    'The source is about another place, person or product.',
    'It holds only for some, or only for a time. Propose it with its condition.',
  ],
  unclear: ['The value lacks a unit or a date.', 'The value can mean different things.'],
  personal: ['The value names a person without need.', 'No consent covers this data.'],
  duplicate: ['Another key has this value.', 'Another request proposes the same.'],
  manipulated: [
    'The source gives orders to whoever reads it.',
    'Letters or hidden text make it look like something else.',
  ],
  other: ['This is not for the memory of all.', 'Propose it again with its source.'],
};

/** The built-in reasons. A rejection of a consent or an erasure has its sentence from its code. */
const BUILT_IN: Readonly<Record<Kind, Partial<Record<ReasonFor, readonly string[]>>>> = {
  sem_put: FACT_REASONS,
  sensitive_consent: {
    approve: [
      'The person asks for it, and the purpose is clear.',
      'The purpose needs this data, and no more than this.',
    ],
    abstain: FACT_REASONS.abstain,
    unclear: ['The request does not say for what the data is needed.'],
    other: ['The purpose can be reached without this data.'],
  },
  erasure: {
    approve: [
      'The person asks for the erasure of their own data.',
      'The law asks for it, and nothing speaks against it.',
      'The data is no longer needed.',
    ],
    abstain: FACT_REASONS.abstain,
    unsupported: ['No law asks for it before the retention period ends.'],
    other: ['The data is still needed. Ask again when the matter is closed.'],
  },
};

/** By what a reason is for; of a consent or an erasure with its kind before it. */
type Kept = Partial<Record<string, readonly string[]>>;

function keptAt(key: string): Kept {
  try {
    return JSON.parse(localStorage.getItem(key) ?? '{}') as Kept;
  } catch {
    return {};
  }
}

/** The reasons that this person has kept in this browser. */
function useKeptReasons(kind: Kind, use: ReasonFor) {
  const of = kind === 'sem_put' ? use : `${kind}.${use}`;
  const key = `mace.reasons.${useSession().sub}`;
  const [kept, setKept] = useState(() => keptAt(key));
  const own = kept[of] ?? [];
  const change = (reasons: readonly string[]): void => {
    const next = { ...keptAt(key), [of]: reasons };
    localStorage.setItem(key, JSON.stringify(next));
    setKept(next);
  };
  return { own, change };
}

interface ReasonTemplatesProps {
  readonly kind: Kind;
  readonly of: ReasonFor;
  /** What is typed now. */
  readonly words: string;
  readonly onPick: (words: string) => void;
}

/** Reasons to pick from: built-in ones, and those that the person keeps. Alt and the arrow down opens them. */
export function ReasonTemplates({ kind, of, words, onPick }: ReasonTemplatesProps) {
  const { own, change } = useKeptReasons(kind, of);
  const builtIn = BUILT_IN[kind][of] ?? [];
  const [isOpen, open] = useState(false);
  const list = useRef<HTMLUListElement>(null);
  useOpeningKey(() => open(true));
  useEffect(() => {
    if (isOpen) list.current?.querySelector('button')?.focus();
  }, [isOpen]);
  const press = (event: KeyboardEvent): void => {
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault();
      const buttons = [...(list.current?.querySelectorAll('button') ?? [])];
      const at = buttons.findIndex((button) => button === event.target);
      buttons[at + (event.key === 'ArrowDown' ? 1 : -1)]?.focus();
    }
    if (event.key !== 'Escape') return;
    event.preventDefault();
    event.stopPropagation();
    list.current?.closest('form')?.querySelector('textarea')?.focus();
    open(false);
  };
  const typed = words.trim();
  const isNew = typed !== '' && ![...builtIn, ...own].includes(typed);
  return (
    <Stack>
      <Row>
        {own.length + builtIn.length > 0 && (
          <Button
            aria-expanded={isOpen}
            aria-keyshortcuts={REASON_KEYS.reasons.key}
            onClick={() => open(!isOpen)}
          >
            Reasons to pick from <KeyHint of={REASON_KEYS.reasons} />
          </Button>
        )}
        {isNew && <Button onClick={() => change([...own, typed])}>Keep these words</Button>}
      </Row>
      {isOpen && (
        <ul
          ref={list}
          className={styles.entries}
          aria-label="Reasons to pick from"
          onKeyDown={press}
        >
          {[...own, ...builtIn].map((reason, index) => (
            <li key={reason}>
              <Row>
                <Button
                  onClick={() => {
                    // The words can be changed at once; the button goes with the list.
                    list.current?.closest('form')?.querySelector('textarea')?.focus();
                    onPick(reason);
                    open(false);
                  }}
                >
                  <VisibleText text={reason} />
                </Button>
                {index < own.length && (
                  <Button
                    kind="quiet"
                    aria-label={`Forget the reason ${reason}`}
                    onClick={() => change(own.filter((other) => other !== reason))}
                  >
                    Forget it
                  </Button>
                )}
              </Row>
            </li>
          ))}
        </ul>
      )}
    </Stack>
  );
}

/** Alt and the arrow down open the reasons while the person types. */
function useOpeningKey(open: () => void): void {
  const opens = useRef(open);
  useEffect(() => {
    opens.current = open;
  });
  useEffect(() => {
    const press = (event: globalThis.KeyboardEvent): void => {
      if (!isPressed(REASON_KEYS.reasons, event)) return;
      event.preventDefault();
      opens.current();
    };
    document.addEventListener('keydown', press);
    return () => document.removeEventListener('keydown', press);
  }, []);
}

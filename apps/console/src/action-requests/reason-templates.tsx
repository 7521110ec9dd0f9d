import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { useSession } from '../session/session-provider';
import { Button } from '../ui/button';
import { Row } from '../ui/stack';
import { VisibleText } from '../ui/visible-text';
import styles from './requests.module.css';
import { useKeys } from './use-keys';
import type { ReasonCode } from './words';

/** What a reason is for: an approval, an abstention, or a rejection with its code. */
export type ReasonFor = 'approve' | 'abstain' | ReasonCode;

const BUILT_IN: Readonly<Record<ReasonFor, readonly string[]>> = {
  approve: ['The evidence supports the value.', 'I know the value from another source.'],
  abstain: ['I cannot judge this.', 'I am too close to the matter.'],
  untrue: ['The source says otherwise.', 'The value was true once, and is out of date.'],
  unsupported: ['The cited episode does not say this.', 'One statement alone is not enough.'],
  personal: ['The value names a person without need.', 'No consent covers this data.'],
  duplicate: ['Another key has this value.', 'Another request proposes the same.'],
  unclear: ['The value lacks a unit or a date.', 'The value can mean different things.'],
  other: ['This is not for the memory of all.', 'Propose it again with its source.'],
};

type Kept = Partial<Record<ReasonFor, readonly string[]>>;

function keptAt(key: string): Kept {
  try {
    return JSON.parse(localStorage.getItem(key) ?? '{}') as Kept;
  } catch {
    return {};
  }
}

/** The reasons that this person has kept in this browser. */
function useKeptReasons(of: ReasonFor) {
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
  readonly of: ReasonFor;
  /** What is typed now. */
  readonly words: string;
  readonly onPick: (words: string) => void;
}

/** Reasons to pick from: built-in ones, and those that the person keeps. `t`, or Alt and the arrow down, opens them. */
export function ReasonTemplates({ of, words, onPick }: ReasonTemplatesProps) {
  const { own, change } = useKeptReasons(of);
  const [isOpen, open] = useState(false);
  const list = useRef<HTMLUListElement>(null);
  useKeys({ t: () => open(true) });
  useOpeningKey(() => open(true));
  useEffect(() => {
    if (isOpen) list.current?.querySelector('button')?.focus();
  }, [isOpen]);
  const close = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape') return;
    event.preventDefault();
    event.stopPropagation();
    list.current?.closest('form')?.querySelector('textarea')?.focus();
    open(false);
  };
  const typed = words.trim();
  const isNew = typed !== '' && ![...BUILT_IN[of], ...own].includes(typed);
  return (
    <div>
      <Row>
        <Button
          aria-expanded={isOpen}
          aria-keyshortcuts="t Alt+ArrowDown"
          onClick={() => open(!isOpen)}
        >
          Reasons to pick from <kbd>t</kbd>
        </Button>
        {isNew && <Button onClick={() => change([...own, typed])}>Keep these words</Button>}
      </Row>
      {isOpen && (
        <ul
          ref={list}
          className={styles.entries}
          aria-label="Reasons to pick from"
          onKeyDown={close}
        >
          {[...own, ...BUILT_IN[of]].map((reason, index) => (
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
    </div>
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
      if (!event.altKey || event.key !== 'ArrowDown') return;
      event.preventDefault();
      opens.current();
    };
    document.addEventListener('keydown', press);
    return () => document.removeEventListener('keydown', press);
  }, []);
}

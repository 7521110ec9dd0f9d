import { useNavigate } from '@tanstack/react-router';
import { type KeyboardEvent, useEffect, useEffectEvent, useId, useState } from 'react';
import { useRead } from '../data/queries';
import { capsOf, isPressed, type KeyTable } from '../keys/key-table';
import { useMomentOfLinks } from '../moment/use-moment';
import { useSession } from '../session/session-provider';
import { ELSEWHERE } from '../shell/pages';
import { Button } from '../ui/button';
import { Dialog } from '../ui/dialog';
import { TextField } from '../ui/field';
import { useTyped } from '../ui/use-typed';
import { VisibleText } from '../ui/visible-text';
import styles from './go-to.module.css';
import { foundTargets, knownTargets, type Target } from './targets';

export const GO_KEYS = {
  open: { key: 'Control+k', words: 'Go to a page, fact, job, request or person' },
} as const satisfies KeyTable;

/** The button and the key that open the list of where a text leads. */
export function GoTo() {
  const [isOpen, setOpen] = useState(false);
  useEffect(() => {
    const listen = (event: globalThis.KeyboardEvent): void => {
      if (!isPressed(GO_KEYS.open, event) || document.querySelector('dialog[open]')) return;
      event.preventDefault();
      setOpen(true);
    };
    document.addEventListener('keydown', listen);
    return () => document.removeEventListener('keydown', listen);
  }, []);
  return (
    <>
      <Button kind="quiet" title={GO_KEYS.open.words} onClick={() => setOpen(true)}>
        <span className="visually-hidden">Open anything </span>
        <kbd>{capsOf(GO_KEYS.open).join(' ').toUpperCase()}</kbd>
      </Button>
      {isOpen && (
        <Dialog
          title="Go to"
          about="The beginning of a fact’s key or of a job’s seed, the id of a request, a person, or words to search for."
          onClose={() => setOpen(false)}
        >
          <Choice close={() => setOpen(false)} />
        </Dialog>
      )}
    </>
  );
}

function Choice({ close }: { readonly close: () => void }) {
  const [asked, ask] = useState('');
  const [text, setText] = useTyped(asked, (typed) => ask(typed));
  const [chosen, choose] = useState<string>();
  const navigate = useNavigate();
  const id = useId();
  const { targets, isLooking } = useTargets(text.trim(), asked.trim());
  // What the person has chosen stays chosen when the list changes. Before, nothing is as long as it may change.
  const at = targets.findIndex((target) => keyOf(target) === chosen);
  const shown = at === -1 && !isLooking ? 0 : at;
  const go = (target: Target | undefined): void => {
    if (target === undefined) return;
    close();
    void navigate({ ...target.way, ...ELSEWHERE });
  };
  // Who types and presses Enter at once goes where the whole text leads, and not where its beginning did.
  const [isEntered, setEntered] = useState(false);
  const goWhenFound = useEffectEvent(() => go(targets[shown]));
  useEffect(() => {
    if (isEntered && !isLooking) goWhenFound();
  }, [isEntered, isLooking]);
  const press = (event: KeyboardEvent): void => {
    const move = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (move !== undefined && targets.length > 0)
      choose(
        keyOf(
          targets[
            (Math.max(at, shown, move === 1 ? -1 : 0) + move + targets.length) % targets.length
          ]!,
        ),
      );
    else if (event.key === 'Enter') setEntered(true);
    else return;
    event.preventDefault();
  };
  return (
    <div onKeyDown={press} className={styles.choice}>
      <TextField
        label="Where to"
        role="combobox"
        aria-expanded
        aria-controls={id}
        aria-autocomplete="list"
        aria-activedescendant={targets[shown] === undefined ? undefined : `${id}-${shown}`}
        autoComplete="off"
        spellCheck={false}
        maxLength={256}
        value={text}
        onChange={(next) => {
          choose(undefined);
          setEntered(false);
          setText(next);
        }}
      />
      <ul id={id} role="listbox" aria-label="Where it leads" className={styles.list}>
        {targets.map((target, place) => (
          <li
            key={keyOf(target)}
            id={`${id}-${place}`}
            role="option"
            aria-selected={place === shown}
            className={styles.target}
            onPointerMove={() => choose(keyOf(target))}
            onClick={() => go(target)}
          >
            <span className={styles.kind}>{KINDS[target.kind]}</span>{' '}
            <VisibleText text={target.name} />
            {target.more !== undefined && (
              <span className={styles.more}>
                {' '}
                <VisibleText text={target.more} />
              </span>
            )}
          </li>
        ))}
      </ul>
      <p role="status" className={styles.more}>
        {isLooking ? 'Looking…' : ''}
      </p>
    </div>
  );
}

const keyOf = ({ kind, name }: Target): string => `${kind} ${name}`;

const KINDS: Readonly<Record<Target['kind'], string>> = {
  session: 'Session',
  page: 'Page',
  fact: 'Fact',
  job: 'Job',
  request: 'Request',
  person: 'All about the person',
  search: 'Search for',
};

/** What a text leads to: what the service finds stands first, but for a page that is meant. */
function useTargets(text: string, asked: string) {
  const session = useSession();
  const moment = useMomentOfLinks();
  const found = useRead(
    ['go-to', asked, moment],
    (mace, call) => (asked === '' ? Promise.resolve([]) : foundTargets(mace, asked, moment, call)),
    { placeholderData: (before) => before },
  );
  const known = knownTargets(text, session);
  const pages = known.filter(({ kind }) => kind === 'page');
  const others = known.filter(({ kind }) => kind !== 'page');
  const ours = text === '' ? [] : (found.data ?? []);
  return {
    targets: [...pages, ...ours, ...others],
    isLooking: text !== asked || found.isFetching,
  };
}

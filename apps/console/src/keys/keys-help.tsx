import { useEffect, useSyncExternalStore } from 'react';
import { Button } from '../ui/button';
import { Dialog } from '../ui/dialog';
import { Terms } from '../ui/terms';
import { KeyHint } from './key-hint';
import { capsOf, type Key, type KeyList } from './key-table';
import styles from './keys.module.css';
import { useKeys } from './use-keys';

/** The key that opens the list of the keys. */
export const HELP_KEYS = { help: { key: '?', words: 'Show these keys' } } as const;

interface Help {
  readonly lists: readonly KeyList[];
  readonly isOpen: boolean;
}

let help: Help = { lists: [], isOpen: false };
const listeners = new Set<() => void>();
const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

function change(part: Partial<Help>): void {
  help = { ...help, ...part };
  for (const listener of listeners) listener();
}

/** Opens the list of the keys. */
export const showKeys = (): void => change({ isOpen: true });
const hideKeys = (): void => change({ isOpen: false });

/** Adds the keys of a page to the list as long as the page is shown. */
export function useKeyList(list: KeyList | undefined): void {
  useEffect(() => {
    if (list === undefined) return undefined;
    change({ lists: [...help.lists, list] });
    return () => change({ lists: help.lists.filter((other) => other !== list) });
  }, [list]);
}

/** The list of the keys, which `?` opens: those of the page, and then those of every page. */
export function KeysHelp({ everywhere }: { readonly everywhere?: KeyList }) {
  const { lists, isOpen } = useSyncExternalStore(subscribe, () => help);
  useKeys(HELP_KEYS, { help: showKeys });
  useEffect(() => hideKeys, []);
  if (!isOpen) return null;
  return (
    <Dialog
      title="Keys"
      about="The keys do nothing while you type, or while a form is open."
      onClose={hideKeys}
    >
      {[...lists, ...(everywhere === undefined ? [] : [everywhere])].map((list) => (
        <Keys key={list.title} {...list} />
      ))}
      <Button kind="primary" onClick={hideKeys}>
        Close
      </Button>
    </Dialog>
  );
}

const Keys = ({ title, keys }: KeyList) => (
  <section>
    <h3>{title}</h3>
    <Terms
      areShort
      terms={linesOf(keys).map(([words, alike]) => [words, <Caps keys={alike} />, words])}
    />
  </section>
);

const Caps = ({ keys }: { readonly keys: readonly Key[] }) => (
  <span className={styles.caps}>
    {keys.flatMap((key) => capsOf(key).map((cap) => <kbd key={`${key.key} ${cap}`}>{cap}</kbd>))}
  </span>
);

/** Keys that do the same stand on one line. */
const linesOf = (keys: readonly Key[]): readonly (readonly [string, readonly Key[]])[] =>
  [...new Set(keys.map(({ words }) => words))].map((words) => [
    words,
    keys.filter((key) => key.words === words),
  ]);

/** A button that opens the list of the keys, for those who do not know `?`. */
export const KeysButton = () => (
  <Button kind="quiet" onClick={showKeys}>
    Keys <KeyHint of={HELP_KEYS.help} />
  </Button>
);

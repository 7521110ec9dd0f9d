import { useEffect, useSyncExternalStore } from 'react';
import { Button } from '../ui/button';
import { Dialog } from '../ui/dialog';
import styles from './keys.module.css';
import { useKeys } from './use-keys';

/** The keys of a page or of a part of it, with what they do. */
export interface KeyList {
  readonly title: string;
  /** A key, or several with spaces between them. */
  readonly keys: readonly (readonly [string, string])[];
}

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
  useKeys({ '?': showKeys });
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
    <dl className={styles.keys}>
      {keys.map(([key, words]) => (
        <div key={key}>
          <dt>
            {key.split(' ').map((one) => (
              <kbd key={one}>{one}</kbd>
            ))}
          </dt>
          <dd>{words}</dd>
        </div>
      ))}
    </dl>
  </section>
);

/** A button that opens the list of the keys, for those who do not know `?`. */
export const KeysButton = () => (
  <Button kind="quiet" onClick={showKeys}>
    Keys <kbd>?</kbd>
  </Button>
);

/** A key of a page, and what it does in words. What works the page, the list that `?` opens and the hints use it. */
export interface Key {
  /**
   * The name that `KeyboardEvent.key` gives it; ` ` is the space bar. `Control+Enter` is pressed with Ctrl or ⌘, and
   * `g s` is one key after the other.
   */
  readonly key: string;
  readonly words: string;
  /** True if it goes on while it is held down, as what moves does. Nobody decides twice by holding a key. */
  readonly repeats?: true;
}

/** The keys of a page or of a part of it, by the names of their actions. */
export type KeyTable<Action extends string = string> = Readonly<Record<Action, Key>>;

/** The present function of each key of a table; undefined for a key without one. */
export type Does<Table extends KeyTable> = Readonly<Record<keyof Table, (() => void) | undefined>>;

/** The keys of a page as `?` lists them. */
export interface KeyList {
  readonly title: string;
  readonly keys: readonly Key[];
}

export const keyList = (
  title: string,
  ...tables: readonly (KeyTable | readonly Key[])[]
): KeyList => ({ title, keys: tables.flatMap((table) => Object.values<Key>(table)) });

const SHOWN: Readonly<Record<string, string>> = {
  ' ': 'Space',
  Control: 'Ctrl',
  Escape: 'Esc',
  ArrowUp: '↑',
  ArrowDown: '↓',
  ArrowLeft: '←',
  ArrowRight: '→',
};

/** Returns what stands on the keys that are pressed, one after the other or together. */
export const capsOf = ({ key }: Key): readonly string[] =>
  key === ' ' ? ['Space'] : key.split(/[ +]/).map((one) => SHOWN[one] ?? one);

type Pressed = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey'>;

/** True if this key was pressed, with its Ctrl or Alt and without another. */
export function isPressed({ key }: Key, pressed: Pressed): boolean {
  const names = key.split('+');
  const hasControl = pressed.ctrlKey || pressed.metaKey;
  return (
    pressed.key === names.at(-1) &&
    hasControl === names.includes('Control') &&
    pressed.altKey === names.includes('Alt')
  );
}

/** The keys of a form that asks for words. */
export const FORM_KEYS = {
  send: { key: 'Control+Enter', words: 'Send what you have typed' },
  close: { key: 'Escape', words: 'Close the form. What you have typed is kept' },
} as const satisfies KeyTable;

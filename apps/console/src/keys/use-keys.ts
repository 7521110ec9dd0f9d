import { useEffect, useEffectEvent } from 'react';

/** The action of each key. A key has the name that `KeyboardEvent.key` gives it; ` ` is the space bar. */
export type Keys = Readonly<Record<string, (() => void) | undefined>>;

const TEXT_INPUTS = 'textarea, select, [contenteditable], input:not([type=radio], [type=checkbox])';

/** Marks a form that takes every key as long as it is in the page. */
export const TAKES_KEYS = { 'data-takes-keys': '' } as const;
const OPEN_FORM = '[data-takes-keys]';
const OPEN_DIALOG = 'dialog[open]';

const isInside = (target: EventTarget | null, selector: string): boolean =>
  target instanceof Element && target.closest(selector) !== null;

/** True while the person writes in a field or a form, or is in a dialog, which has keys of its own. */
const isBusy = (target: EventTarget | null): boolean =>
  document.querySelector(`${OPEN_DIALOG}, ${OPEN_FORM}`) !== null ||
  isInside(target, `${TEXT_INPUTS}, form`);

/**
 * True for the keys by which the browser itself works the focused control. A row of a list is opened by the list,
 * because the focus can still be on its way to the row when Enter comes.
 */
const belongsToControl = (key: string, target: EventTarget | null): boolean =>
  (key === ' ' && isInside(target, 'button, input, summary')) ||
  (key === 'Enter' && isInside(target, 'button, input, summary, a:not([data-row])'));

/** The keys that go on while they are held down: those that move. Nobody decides twice by holding a key. */
const REPEATING: ReadonlySet<string> = new Set(['j', 'k', 'ArrowUp', 'ArrowDown', 'n', 'p']);

const isHeld = ({ repeat, key }: KeyboardEvent): boolean => repeat && !REPEATING.has(key);

const hasModifier = ({ ctrlKey, metaKey, altKey }: KeyboardEvent): boolean =>
  ctrlKey || metaKey || altKey;

/** Works the page by single keys. They do nothing while the person types, or while a form is open. */
export function useKeys(keys: Keys): void {
  const press = useEffectEvent((event: KeyboardEvent) => {
    if (event.defaultPrevented || hasModifier(event)) return;
    if (isBusy(event.target) || belongsToControl(event.key, event.target)) return;
    const action = keys[event.key];
    if (action === undefined) return;
    event.preventDefault();
    if (!isHeld(event)) action();
  });
  useEffect(() => {
    const listen = (event: KeyboardEvent): void => press(event);
    document.addEventListener('keydown', listen);
    return () => document.removeEventListener('keydown', listen);
  }, []);
}

/** The time in ms in which the second of two keys has to follow. */
const SECOND_WITHIN_MS = 2_000;

/** Works the page by two keys, one after the other. What follows the first does nothing else. */
export function useTwoKeys(first: string, seconds: Keys): void {
  const press = useEffectEvent((event: KeyboardEvent, isSecond: boolean): boolean => {
    if (hasModifier(event) || isBusy(event.target)) return false;
    if (isSecond) seconds[event.key]?.();
    if (isSecond || event.key === first) event.preventDefault();
    return !isSecond && event.key === first;
  });
  useEffect(() => {
    let firstAt = -Infinity;
    const listen = (event: KeyboardEvent): void => {
      if (event.key === 'Shift') return;
      const isSecond = event.timeStamp - firstAt < SECOND_WITHIN_MS;
      firstAt = press(event, isSecond) ? event.timeStamp : -Infinity;
    };
    // Before the page, which has other uses for some of the second keys.
    document.addEventListener('keydown', listen, true);
    return () => document.removeEventListener('keydown', listen, true);
  }, []);
}

interface FormKeys {
  readonly keys: Keys;
  readonly onClose: () => void;
  readonly onSend: () => void;
  /** The field for words, which gets what is typed outside of any field. */
  readonly words: () => HTMLElement | null | undefined;
}

/** The keys of a form with `TAKES_KEYS`: wherever the focus is, nothing that is typed acts on the page behind it. */
export function useFormKeys({ keys, onClose, onSend, words }: FormKeys): void {
  const press = useEffectEvent((event: KeyboardEvent) => {
    const { key, target } = event;
    const isInOther = isInside(target, `${TEXT_INPUTS}, form`) && !isInside(target, OPEN_FORM);
    if (event.defaultPrevented || isInOther || document.querySelector(OPEN_DIALOG) !== null) return;
    const does = (action: () => void): void => {
      event.preventDefault();
      if (!isHeld(event)) action();
    };
    if (key === 'Enter' && (event.ctrlKey || event.metaKey)) return does(onSend);
    if (hasModifier(event)) return;
    if (key === 'Escape') return does(onClose);
    if (isInside(target, TEXT_INPUTS) || belongsToControl(key, target)) return;
    const action = keys[key];
    if (action !== undefined) return does(action);
    // The field has the focus before the browser writes the character.
    if (key.length === 1 && key !== ' ') words()?.focus();
  });
  useEffect(() => {
    const listen = (event: KeyboardEvent): void => press(event);
    document.addEventListener('keydown', listen);
    return () => document.removeEventListener('keydown', listen);
  }, []);
}

import { useEffect, useEffectEvent } from 'react';
import { type Does, FORM_KEYS, isPressed, type Key, type KeyTable } from './key-table';

const TEXT_INPUTS = 'textarea, select, [contenteditable], input:not([type=radio], [type=checkbox])';

/** Marks a form that takes every key as long as it is in the page. */
export const TAKES_KEYS = { 'data-takes-keys': '' } as const;
const OPEN_FORM = '[data-takes-keys]';
const OPEN_DIALOG = 'dialog[open]';

const isInside = (target: EventTarget | null, selector: string): boolean =>
  target instanceof Element && target.closest(selector) !== null;

/** True while the person writes in a field or a form that sends something, or is in a dialog, which has keys of its own. */
const isBusy = (target: EventTarget | null): boolean =>
  document.querySelector(`${OPEN_DIALOG}, ${OPEN_FORM}`) !== null ||
  isInside(target, `${TEXT_INPUTS}, form:not([role=search])`);

/**
 * True for the keys by which the browser itself works the focused control. A row of a list is opened by the list,
 * because the focus can still be on its way to the row when Enter comes.
 */
const belongsToControl = (key: string, target: EventTarget | null): boolean =>
  (/^(Arrow|Home|End)/.test(key) && isInside(target, '[role=tablist], input[type=radio]')) ||
  (key === ' ' && isInside(target, 'button, input, summary')) ||
  (key === 'Enter' && isInside(target, 'button, input, summary, a:not([data-row])'));

const hasModifier = ({ ctrlKey, metaKey, altKey }: KeyboardEvent): boolean =>
  ctrlKey || metaKey || altKey;

/** Returns the key of a table that was pressed, and what it does now. */
function pressedOf<Table extends KeyTable>(table: Table, does: Does<Table>, event: KeyboardEvent) {
  const name = Object.keys(table).find((each) => isPressed(table[each]!, event));
  return name === undefined ? [] : ([table[name], does[name]] as const);
}

/** Works the page by single keys. They do nothing while the person types, or while a form is open. */
export function useKeys<Table extends KeyTable>(table: Table, does: Does<Table>): void {
  const press = useEffectEvent((event: KeyboardEvent) => {
    if (event.defaultPrevented) return;
    if (isBusy(event.target) || belongsToControl(event.key, event.target)) return;
    const [pressed, action] = pressedOf(table, does, event);
    if (action === undefined) return;
    event.preventDefault();
    if (!event.repeat || pressed?.repeats === true) action();
  });
  useEffect(() => {
    const listen = (event: KeyboardEvent): void => press(event);
    document.addEventListener('keydown', listen);
    return () => document.removeEventListener('keydown', listen);
  }, []);
}

/** The time in ms in which the second of two keys has to follow. */
const SECOND_WITHIN_MS = 2_000;

/** A key with what it does, for keys that only the page knows. */
export interface BoundKey extends Key {
  readonly does: () => void;
}

/** Works the page by two keys, one after the other. What follows the first does nothing else. */
export function useTwoKeys(keys: readonly BoundKey[]): void {
  const press = useEffectEvent((event: KeyboardEvent, first: string | undefined) => {
    if (hasModifier(event) || isBusy(event.target)) return undefined;
    if (first !== undefined) keys.find(({ key }) => key === `${first} ${event.key}`)?.does();
    const isFirst = keys.some(({ key }) => key.startsWith(`${event.key} `));
    if (first !== undefined || isFirst) event.preventDefault();
    return first === undefined && isFirst ? event.key : undefined;
  });
  useEffect(() => {
    let last: { readonly key: string; readonly at: number } | undefined;
    const listen = (event: KeyboardEvent): void => {
      if (event.key === 'Shift') return;
      const isSecond = last !== undefined && event.timeStamp - last.at < SECOND_WITHIN_MS;
      const key = press(event, isSecond ? last?.key : undefined);
      last = key === undefined ? undefined : { key, at: event.timeStamp };
    };
    // Before the page, which has other uses for some of the second keys.
    document.addEventListener('keydown', listen, true);
    return () => document.removeEventListener('keydown', listen, true);
  }, []);
}

interface FormKeys {
  /** Keys of this form alone. They do nothing in a field. */
  readonly keys: readonly BoundKey[];
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
      if (!event.repeat) action();
    };
    if (isPressed(FORM_KEYS.send, event)) return does(onSend);
    if (isPressed(FORM_KEYS.close, event)) return does(onClose);
    if (hasModifier(event) || isInside(target, TEXT_INPUTS) || belongsToControl(key, target))
      return;
    const own = keys.find((one) => isPressed(one, event));
    if (own !== undefined) return does(own.does);
    // The field has the focus before the browser writes the character.
    if (key.length === 1 && key !== ' ') words()?.focus();
  });
  useEffect(() => {
    const listen = (event: KeyboardEvent): void => press(event);
    document.addEventListener('keydown', listen);
    return () => document.removeEventListener('keydown', listen);
  }, []);
}

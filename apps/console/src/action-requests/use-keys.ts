import { useEffect, useEffectEvent } from 'react';

/** What each key does, by `KeyboardEvent.key`; ` ` is the space bar. */
export type Keys = Readonly<Record<string, (() => void) | undefined>>;

const TEXT_INPUTS = 'textarea, select, [contenteditable], input:not([type=radio], [type=checkbox])';

/** True while the person writes text, or is in a dialog, which has keys of its own. */
const isBusy = (target: EventTarget | null): boolean =>
  document.querySelector('dialog[open]') !== null ||
  (target instanceof Element && target.closest(TEXT_INPUTS) !== null);

/**
 * True for the keys by which the browser itself works the focused control. A row of a list is opened by the list,
 * because the focus can still be on its way to the row when Enter comes.
 */
const belongsToControl = (key: string, target: EventTarget | null): boolean =>
  (key === ' ' && target instanceof Element && target.closest('button, input, summary') !== null) ||
  (key === 'Enter' &&
    target instanceof Element &&
    target.closest('button, input, summary, a:not([data-row])') !== null);

/** Works the page by single keys. They do nothing while the person types. */
export function useKeys(keys: Keys): void {
  const press = useEffectEvent((event: KeyboardEvent) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
    if (isBusy(event.target) || belongsToControl(event.key, event.target)) return;
    const action = keys[event.key];
    if (action === undefined) return;
    event.preventDefault();
    action();
  });
  useEffect(() => {
    const listen = (event: KeyboardEvent): void => press(event);
    document.addEventListener('keydown', listen);
    return () => document.removeEventListener('keydown', listen);
  }, []);
}

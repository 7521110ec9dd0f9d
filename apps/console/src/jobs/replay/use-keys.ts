import { useEffect, useRef } from 'react';
import type { KeyList } from '../../keys/keys-help';

export const REPLAY_KEYS: KeyList = {
  title: 'On the events of a job',
  keys: [
    ['← →', 'One event back, one event on'],
    ['Home End', 'The first event, the last event'],
    ['Space', 'Play, pause'],
    ['n p', 'The next match, the previous match'],
    ['/', 'Search the events'],
  ],
};

export type KeyActions = Readonly<Record<string, () => void>>;

/** Controls that use the keys themselves. */
const OWN_KEYS = 'input, select, textarea, dialog, [role="tablist"]';
const SPACE_KEYS = 'button, a, summary';

/** Runs an action when its key is pressed anywhere on the page, except in a control that uses the key itself. */
export function useKeys(actions: KeyActions): void {
  const latest = useRef(actions);
  latest.current = actions;
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      const { key, target } = event;
      if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
      if (!(target instanceof Element) || target.closest(OWN_KEYS) !== null) return;
      if (key === ' ' && target.closest(SPACE_KEYS) !== null) return;
      const action = latest.current[key];
      if (action === undefined) return;
      event.preventDefault();
      action();
    };
    window.addEventListener('keydown', press);
    return () => window.removeEventListener('keydown', press);
  }, []);
}

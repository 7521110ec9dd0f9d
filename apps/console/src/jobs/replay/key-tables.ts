import { keyList, type KeyTable } from '../../keys/key-table';

const BACK = 'One event back';
const ON = 'One event on';

/** The keys on the events of a job. */
export const REPLAY_KEYS = {
  left: { key: 'ArrowLeft', words: BACK, repeats: true },
  up: { key: 'ArrowUp', words: BACK, repeats: true },
  right: { key: 'ArrowRight', words: ON, repeats: true },
  down: { key: 'ArrowDown', words: ON, repeats: true },
  first: { key: 'Home', words: 'The first event' },
  last: { key: 'End', words: 'The last event' },
  play: { key: ' ', words: 'Play, pause' },
  next: { key: 'n', words: 'The next match', repeats: true },
  previous: { key: 'p', words: 'The previous match', repeats: true },
  run: { key: 'Enter', words: 'Open or fold the run at the cursor' },
  search: { key: '/', words: 'Search the events' },
} as const satisfies KeyTable;

export const REPLAY_LIST = keyList('On the events of a job', REPLAY_KEYS);

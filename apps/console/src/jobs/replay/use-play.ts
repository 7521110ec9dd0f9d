import { useEffect, useState } from 'react';
import type { Cursor } from './use-cursor';

/** Events in a second. */
export const SPEEDS = [1, 4, 16, 64, 256] as const;

/** The most moves of the cursor in a second; a higher speed takes several events in one move. */
const MOVES = 8;

export interface Play {
  readonly isPlaying: boolean;
  readonly toggle: () => void;
  readonly speed: number;
  readonly setSpeed: (speed: number) => void;
}

/** Plays the events. It waits while the state at the cursor is on its way, so no step is skipped unseen. */
export function usePlay({ at, move }: Cursor, last: number, isWaiting: boolean): Play {
  const [isOn, setOn] = useState(false);
  const [speed, setSpeed] = useState(4);
  const isPlaying = isOn && at < last;
  useEffect(() => {
    if (!isPlaying || isWaiting) return;
    const moves = Math.min(speed, MOVES);
    const next = setTimeout(() => move(at + speed / moves, 'play'), 1000 / moves);
    return () => clearTimeout(next);
  }, [isPlaying, isWaiting, at, speed, move]);
  const toggle = (): void => {
    if (!isPlaying && at >= last) move(0, 'play');
    setOn(!isPlaying);
  };
  return { isPlaying, toggle, speed, setSpeed };
}

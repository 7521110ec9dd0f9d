import { useSyncExternalStore } from 'react';

const STEP_MS = 15_000;

const subscribe = (passed: () => void): (() => void) => {
  const timer = setInterval(passed, STEP_MS);
  return () => clearInterval(timer);
};

/** Renders the component again every 15 seconds, so that times in words stay true on an open page. */
export const useTimePassing = (): void =>
  void useSyncExternalStore(subscribe, () => Math.floor(Date.now() / STEP_MS));

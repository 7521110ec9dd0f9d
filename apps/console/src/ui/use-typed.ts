import { useEffect, useEffectEvent, useState } from 'react';

/** The pause in ms after which a typed filter takes effect. */
const PAUSE_MS = 250;

/**
 * Returns the text that a filter shows, and a function for what is typed. `apply` gets the text after a pause in the
 * typing. The typed text is shown until `value` equals it. So a value that was applied earlier and arrives late does
 * not remove the letters that were typed after it.
 */
export function useTyped(value: string, apply: (text: string) => void) {
  const [typed, setTyped] = useState<string>();
  if (typed === value) setTyped(undefined);
  const applyLatest = useEffectEvent((text: string) => apply(text));
  useEffect(() => {
    if (typed === undefined) return undefined;
    const timer = setTimeout(() => applyLatest(typed), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [typed]);
  return [typed ?? value, setTyped] as const;
}

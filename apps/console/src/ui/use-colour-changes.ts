import { useEffect, useState } from 'react';

/** Returns a number that changes whenever the page changes between light and dark. */
export function useColourChanges(): number {
  const [changes, setChanges] = useState(0);
  useEffect(() => {
    const change = (): void => setChanges((count) => count + 1);
    const chosen = new MutationObserver(change);
    chosen.observe(document.documentElement, { attributeFilter: ['data-theme'] });
    const ofMachine = matchMedia('(prefers-color-scheme: dark)');
    ofMachine.addEventListener('change', change);
    return () => {
      chosen.disconnect();
      ofMachine.removeEventListener('change', change);
    };
  }, []);
  return changes;
}

import { createContext, type ReactNode, use, useCallback, useState } from 'react';

const AnnounceContext = createContext<(text: string) => void>(() => undefined);

/** Holds the live region, in which short texts are read out by a screen reader. */
export function Announcer({ children }: { readonly children: ReactNode }) {
  const [text, setText] = useState('');
  const announce = useCallback((next: string) => {
    // A repeated text is read out again only if the region was empty in between.
    setText('');
    requestAnimationFrame(() => setText(next));
  }, []);
  return (
    <AnnounceContext value={announce}>
      {/* At the top, because an absolute element at the end would make each page a pixel higher. */}
      <p className="visually-hidden" role="status" aria-live="polite">
        {text}
      </p>
      {children}
    </AnnounceContext>
  );
}

/** Returns the function that reads a text out, for example `Approved. 4 requests left.` */
export const useAnnounce = (): ((text: string) => void) => use(AnnounceContext);

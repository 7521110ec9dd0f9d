import { createContext } from 'react';

/** The words of what a page shows that imitate Latin, in lower case: one text does not say by itself which do. */
export const ImitatedWords = createContext<ReadonlySet<string>>(new Set());

import { type RefObject, useCallback, useRef, useState } from 'react';

/** Whether the reader has seen a value to its end. */
export interface Reading {
  /** Identifies the value. */
  readonly of: string;
  /** False until the value is laid out: nobody has seen it yet. */
  readonly isMeasured: boolean;
  /** True if the value does not fit its box. */
  readonly isLong: boolean;
  readonly isWhole: boolean;
  /** True until a value that does not fit its box was opened once. */
  readonly isUnread: boolean;
  readonly box: RefObject<HTMLDivElement | null>;
  readonly note: (isLong: boolean) => void;
  /** Shows all of the value, and moves the focus to it. */
  readonly open: () => void;
  readonly close: () => void;
}

/** The reading of a value; another one begins anew. `of` identifies the value. */
export function useReading(of: string): Reading {
  const box = useRef<HTMLDivElement>(null);
  const [state, set] = useState(() => begun(of));
  if (state.of !== of) set(begun(of));
  const note = useCallback((isLong: boolean) => {
    set((last) => {
      if (last.isMeasured && (last.isWhole || last.isLong === isLong)) return last;
      return { ...last, isMeasured: true, isLong };
    });
  }, []);
  const open = (): void => {
    set((last) => ({ ...last, isWhole: true, wasOpened: true }));
    box.current?.focus();
  };
  const close = (): void => set((last) => ({ ...last, isWhole: false }));
  const { isMeasured, isLong, isWhole, wasOpened } = state;
  return {
    of,
    isMeasured,
    isLong,
    isWhole,
    isUnread: isLong && !wasOpened,
    box,
    note,
    open,
    close,
  };
}

const begun = (of: string) => ({
  of,
  isMeasured: false,
  isLong: false,
  isWhole: false,
  wasOpened: false,
});

/** The periods in days that the page of figures offers. */
export const PERIODS = [7, 30, 90, 365] as const;

export interface FiguresSearch {
  /** 30 by default. */
  readonly days?: number;
}

export function figuresSearchOf({ days }: Record<string, unknown>): FiguresSearch {
  const found = PERIODS.find((count) => count === days);
  return found === undefined ? {} : { days: found };
}

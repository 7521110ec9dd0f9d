/** The form of a position of the log: decimal digits, of which 18 fit a 64-bit integer. */
export const POSITION = /^\d{1,18}$/;

export const isPosition = (text: string): boolean => POSITION.test(text);

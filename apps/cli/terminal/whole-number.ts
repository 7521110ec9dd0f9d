import { InvalidArgumentError } from 'commander';

/** Returns the parser of an option whose value is a whole number from 1 to `most`. */
export const wholeNumberTo =
  (most: number) =>
  (text: string): number => {
    const number = /^\d{1,3}$/.test(text) ? Number(text) : 0;
    if (number < 1 || number > most)
      throw new InvalidArgumentError(`The value must be a whole number from 1 to ${most}.`);
    return number;
  };

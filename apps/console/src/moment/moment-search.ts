import { given, textIn, wholeIn } from '../data/search-params';

/** The moment of the past that the pages show, as every address of the console has it. */
export interface MomentSearch {
  /** A time of RFC 3339, or the position of an event; without it, the pages show the present. */
  readonly moment?: string | number;
}

/** Digits stand in an address as they are if they are a number for the router, and in quotes otherwise. */
export const momentSearchOf = ({ moment }: Record<string, unknown>): MomentSearch =>
  given({ moment: wholeIn(moment) ?? textIn(moment) });

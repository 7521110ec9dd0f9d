import { given, textIn } from '../data/search-params';

/** The moment of the past that the pages show, as every address of the console has it. */
export interface MomentSearch {
  /** A time of RFC 3339; without it, the pages show the present. */
  readonly moment?: string;
}

export const momentSearchOf = ({ moment }: Record<string, unknown>): MomentSearch =>
  given({ moment: textIn(moment) });

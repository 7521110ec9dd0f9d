import { type Held, heldOf, withoutHeld } from '../held.js';
import type { Category, Finding } from '../privacy/finding.js';

/** What the gate found in a value. */
type GateFindings = {
  /** The highest category of the findings. It decides which consent the value needs (SPEC P4). */
  readonly finding_category?: Category;
  /**
   * The findings, which the council can clear (SPEC W8). Missing in events of schema version 1, for more than
   * `MAX_FINDINGS`, and if an outside recogniser has found something, because it names no place.
   */
  readonly findings?: readonly Finding[];
};

/** A value that may be sealed, with what the gate found in it. */
export type GatedValue = Held & GateFindings;

/** More findings than these are not recorded: nobody would judge each of them. */
export const MAX_FINDINGS = 100;

/** Returns only the value or its sealed form, and what the gate found in it, if anything. */
export const gatedValueOf = (data: GatedValue): GatedValue => {
  const { finding_category, findings } = data;
  return {
    ...heldOf(data),
    ...(finding_category === undefined ? {} : { finding_category }),
    ...(findings === undefined ? {} : { findings }),
  };
};

/** Returns the other fields of an object that holds a gated value. */
export const withoutGatedValue = <Data extends GatedValue>(data: Data) => {
  const { finding_category: _, findings: __, ...rest } = withoutHeld(data);
  return rest;
};

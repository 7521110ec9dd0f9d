import { type Held, heldOf } from '../held.js';
import type { Category } from '../privacy/finding.js';

/** A value that may be sealed. The category of its personal data decides which consent it needs (SPEC P4). */
export type GatedValue = Held & { readonly finding_category?: Category };

/** Returns only the value or its sealed form, and the category of its personal data if it has any. */
export const gatedValueOf = (data: GatedValue): GatedValue => {
  const { finding_category } = data;
  return finding_category === undefined ? heldOf(data) : { ...heldOf(data), finding_category };
};

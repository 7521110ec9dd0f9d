import { Refusal } from '../../errors/refusal.js';
import type { StoreState } from '../state.js';

/** A command came to a store that it does not belong to. */
export const invalidStore = ({ stream }: StoreState): Refusal =>
  new Refusal('INVALID_INPUT', { reason: `${stream}: is not the store of this request` });

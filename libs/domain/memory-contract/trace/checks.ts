import { Refusal } from '../../errors/refusal.js';
import type { StoreState } from '../state.js';

/** Makes the refusal of a command that belongs to another store. */
export const invalidStore = ({ stream }: StoreState): Refusal =>
  new Refusal('INVALID_INPUT', { reason: `${stream}: is not the store of this request` });

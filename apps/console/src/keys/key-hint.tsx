import { capsOf, type Key } from './key-table';

/** The key of a button or link, beside its words. */
export const KeyHint = ({ of }: { readonly of: Key }) => <kbd>{capsOf(of).join(' ')}</kbd>;

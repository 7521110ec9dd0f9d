/**
 * What became of the values that a command has sealed: `kept` if they outlived the append of its events, also if an
 * erasure has destroyed their key since; `dead` if the order of the erasure came before the events; `unknown` while an
 * erasure is being carried out.
 */
export type SealStanding = 'kept' | 'dead' | 'unknown';

/** Knows which keys are destroyed, and which order in the log has destroyed them (SPEC P5, G6). */
export interface Seals {
  /** @param position the commit position of the command's last event; undefined if it is not appended yet */
  standingOf(kids: readonly string[], position: bigint | undefined): Promise<SealStanding>;
}

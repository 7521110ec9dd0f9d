import { describe, expect, it } from '@jest/globals';
import { OwnWrites } from '#apps/api/platform/http/own-writes.js';

describe('The positions of own writes (SPEC C1)', () => {
  it('the positions of own writes are the positions of each subject’s last write (SPEC C1)', () => {
    const ownWrites = new OwnWrites();
    ownWrites.noteAnswer(['ada'], 5n);
    ownWrites.noteAnswer(['grace'], 6n);
    ownWrites.noteAnswer(['ada'], 7n);
    expect(ownWrites.positionOf(['ada'])).toBe(7n);
    expect(ownWrites.positionOf(['grace'])).toBe(6n);
    expect(ownWrites.positionOf(['alan'])).toBeUndefined();
    expect(ownWrites.positionOf(['alan', 'grace', 'ada'])).toBe(7n);
  });

  it('the positions of own writes include events that this process appended before the answer (SPEC C1)', () => {
    const ownWrites = new OwnWrites();
    ownWrites.noteAppend(9n);
    ownWrites.noteAnswer(['ada'], 5n);
    expect(ownWrites.positionOf(['ada'])).toBe(9n);
  });

  it('the positions of own writes are kept for the 5,000 subjects that wrote last (SPEC C1)', () => {
    const ownWrites = new OwnWrites();
    ownWrites.noteAnswer(['first'], 1n);
    for (let count = 0; count < 4_999; count += 1) ownWrites.noteAnswer([`agent-${count}`], 2n);
    expect(ownWrites.positionOf(['first'])).toBe(1n);
    for (let count = 0; count < 10_000; count += 1) ownWrites.noteAnswer([`agent-${count}`], 3n);
    expect(ownWrites.positionOf(['first'])).toBeUndefined();
    expect(ownWrites.positionOf(['agent-9999'])).toBe(3n);
  });
});

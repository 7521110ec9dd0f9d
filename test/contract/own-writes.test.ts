import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { OwnWrites } from '#apps/api/platform/http/own-writes.js';

describe('The positions of own writes (SPEC C1)', () => {
  it('are those of each subject’s last write', () => {
    const ownWrites = new OwnWrites();
    ownWrites.noteAnswer('ada', 5n);
    ownWrites.noteAnswer('grace', 6n);
    ownWrites.noteAnswer('ada', 7n);
    assert.equal(ownWrites.positionOf('ada'), 7n);
    assert.equal(ownWrites.positionOf('grace'), 6n);
    assert.equal(ownWrites.positionOf('alan'), undefined);
  });

  it('cover what this process has appended by then', () => {
    const ownWrites = new OwnWrites();
    ownWrites.noteAppend(9n);
    ownWrites.noteAnswer('ada', 5n);
    assert.equal(ownWrites.positionOf('ada'), 9n);
  });

  it('are kept for 5,000 subjects that wrote last, and not for all', () => {
    const ownWrites = new OwnWrites();
    ownWrites.noteAnswer('first', 1n);
    for (let count = 0; count < 4_999; count += 1) ownWrites.noteAnswer(`agent-${count}`, 2n);
    assert.equal(ownWrites.positionOf('first'), 1n);
    for (let count = 0; count < 10_000; count += 1) ownWrites.noteAnswer(`agent-${count}`, 3n);
    assert.equal(ownWrites.positionOf('first'), undefined);
    assert.equal(ownWrites.positionOf('agent-9999'), 3n);
  });
});

import { afterAll, describe, expect, it } from '@jest/globals';
import { readdirSync } from 'node:fs';
import { temporaryFolder } from '../support/temporary-folder.js';
import { mace } from './cli-run.js';

describe('The demo', () => {
  const folder = temporaryFolder('demo');
  afterAll(() => folder.remove());

  it('plays the walk-through to its end as plain text, and leaves nothing behind', async () => {
    const { code, stdout, stderr } = await mace(['demo'], { TMPDIR: folder.path });
    expect([stderr, code]).toStrictEqual([stderr, 0]);
    expect(stdout).not.toMatch(/\u001b/);
    for (const told of [
      /promotion_event/,
      /episodic_summary/,
      /is pending: user\/profile\/user_tuff\/favorite_color = "cerulean"/,
      /✔ request \S+ is executed/,
      /✔ "cerulean", source agent:agent-7/,
      /✔ \d+ events, identical/,
      /✔ event 1 \(wm_inserted, line 3\) was edited/,
      /✔ event 7 is missing/,
    ])
      expect(stdout).toMatch(told);
    expect(readdirSync(folder.path).filter((name) => name.startsWith('mace-demo'))).toStrictEqual(
      [],
    );
  });
});

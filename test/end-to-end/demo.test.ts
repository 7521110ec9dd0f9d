import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { after, describe, it } from 'node:test';
import { temporaryFolder } from '../support/temporary-folder.js';
import { CliProcess, mace } from './cli-run.js';

describe('The demo', () => {
  const folder = temporaryFolder('demo');
  after(() => folder.remove());

  it('plays the walk-through to its end as plain text, and leaves nothing behind', async () => {
    const { code, stdout, stderr } = await mace(['demo'], { TMPDIR: folder.path });
    assert.equal(code, 0, stderr);
    assert.doesNotMatch(stdout, /\u001b/);
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
      assert.match(stdout, told);
    assert.deepEqual(
      readdirSync(folder.path).filter((name) => name.startsWith('mace-demo')),
      [],
    );
  });
});

describe('A demo that is interrupted', () => {
  const leftIn = (folder: string): string[] =>
    readdirSync(folder).filter((name) => name.startsWith('mace-demo'));

  const interruptedWhen = async (said: RegExp): Promise<void> => {
    const folder = temporaryFolder('demo-interrupted');
    const demo = CliProcess.spawn(['demo'], { TMPDIR: folder.path });
    let stdout = '';
    demo.child.stdout?.on('data', (text: string) => {
      stdout += text;
      if (said.test(stdout)) demo.child.kill('SIGINT');
    });
    const { code, stderr } = await demo.ended;
    assert.equal(code, 130, stderr);
    assert.match(stderr, /^Stopped\.$/m);
    assert.deepEqual(leftIn(folder.path), []);
    const url = /listens on (http:[^,\s]+)/.exec(stdout)?.[1];
    if (url !== undefined) await assert.rejects(fetch(`${url}/health/live`));
    folder.remove();
  };

  it('while its service starts leaves nothing behind', () =>
    interruptedWhen(/A service of its own starts/));

  it('in the middle of its story stops its service and leaves nothing behind', () =>
    interruptedWhen(/Working memory/));
});

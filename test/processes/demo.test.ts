import { afterAll, describe, expect, it } from '@jest/globals';
import { readdirSync } from 'node:fs';
import { temporaryFolder } from '../support/temporary-folder.js';
import { CliProcess, mace } from '#test/support/cli-run.js';

describe('The demo', () => {
  const folder = temporaryFolder('demo');
  afterAll(() => folder.remove());

  it('without a terminal, the demo prints plain text, runs to its end, and leaves no files or processes behind', async () => {
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
    expect([stderr, code]).toStrictEqual([stderr, 130]);
    expect(stderr).toMatch(/^Stopped\.$/m);
    expect(leftIn(folder.path)).toStrictEqual([]);
    const url = /listens on (http:[^,\s]+)/.exec(stdout)?.[1];
    if (url !== undefined) await expect(fetch(`${url}/health/live`)).rejects.toThrow();
    folder.remove();
  };

  it('a demo that is interrupted while its service starts leaves no files or processes behind', () =>
    interruptedWhen(/A service of its own starts/));

  it('a demo that is interrupted in the middle of a step stops its service and leaves no files or processes behind', () =>
    interruptedWhen(/Working memory/));
});

import { expect, test } from '@jest/globals';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const MAIN = fileURLToPath(import.meta.resolve('#test/torture/main.js'));
const SEED = '20231';
/** A busy machine needs much longer than the minute of the run for its checks. */
const PATIENCE_MS = 900_000;

test(
  `a minute of torture with the seed ${SEED} finds nothing wrong`,
  async () => {
    const args = ['--enable-source-maps', MAIN, '--minutes', '1', '--seed', SEED];
    const torture = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
    let output = '';
    torture.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
    const [code] = (await once(torture, 'close')) as [number | null];
    const repeat = `npm run torture -- --minutes 1 --seed ${SEED}`;
    expect({ repeat, report: output, code }).toStrictEqual({
      repeat,
      report: expect.stringMatching(/\nPASS\n$/) as unknown,
      code: 0,
    });
  },
  PATIENCE_MS,
);

import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Database, DATABASE_FILE } from '#embedded/event-store-node/storage/database.js';
import { Expectation } from '#embedded/event-store-node/storage/decide.js';
import { type EventLog, type Outcome } from '#embedded/event-store-node/storage/event-log.js';
import { openLog } from '#embedded/event-store-node/storage/open-log.js';
import { temporaryFolder } from '#test/support/temporary-folder.js';

const NO_SPACE = Object.assign(new Error('No space left on device'), { code: 28 });
const INPUT_OUTPUT = Object.assign(new Error('Input/output error'), { code: 5 });

const folders: ReturnType<typeof temporaryFolder>[] = [];
afterEach(() => {
  jest.restoreAllMocks();
  for (const folder of folders.splice(0)) folder.remove();
});

async function opened() {
  const folder = temporaryFolder('late-error');
  folders.push(folder);
  const broken: unknown[] = [];
  const options = {
    ...{ quotaBytes: Infinity, skipDamaged: false, onNotice: () => undefined },
    onBroken: (error: unknown) => broken.push(error),
  };
  return {
    log: await openLog(folder.path, options),
    broken,
    reopen: () => openLog(folder.path, options),
    loseDatabase: () => rmSync(join(folder.path, DATABASE_FILE)),
  };
}

const append = (log: EventLog, number = 1, text = 'kept'): Promise<Outcome> =>
  new Promise((done) =>
    log.write({
      ...{ kind: 'append', stream: 'kept', expected: Expectation.any, done },
      events: [
        {
          id: `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`,
          ...{ type: Buffer.from('Happened'), isJson: true },
          ...{ metadata: Buffer.from('{}'), data: Buffer.from(JSON.stringify({ text })) },
        },
      ],
    }),
  );

/** The next commits fail with these errors; those after them succeed. */
function failing(...errors: readonly Error[]) {
  const store = jest.spyOn(Database.prototype, 'store');
  for (const error of errors) store.mockRejectedValueOnce(error);
  return async () => {
    for (let tries = 0; tries < 500 && store.mock.calls.length <= errors.length; tries += 1)
      await sleep(20);
  };
}

describe('An input/output error of a commit', () => {
  it('is the late report of a full disk if one came before: the node goes on, and the event is kept', async () => {
    const { log, broken, reopen } = await opened();
    const committed = failing(NO_SPACE, INPUT_OUTPUT);
    expect(await append(log)).toMatchObject({ kind: 'written' });
    await committed();
    expect(broken).toStrictEqual([]);
    await log.close();
    const again = await reopen();
    expect(again.record(1).toString()).toContain('kept');
    await again.close();
  });

  it.each([
    ['without a full disk before it', [INPUT_OUTPUT]],
    ['that comes again after there was room', [NO_SPACE, INPUT_OUTPUT, INPUT_OUTPUT]],
  ])('%s stops the node', async (_when, errors) => {
    const { log, broken } = await opened();
    failing(...errors);
    await append(log);
    for (let tries = 0; tries < 500 && broken.length === 0; tries += 1) await sleep(20);
    expect(broken).toStrictEqual([INPUT_OUTPUT]);
    await log.close();
  });
});

describe('A start on a full disk', () => {
  it('keeps what only the journal has in memory, more than one step of it, and reads it', async () => {
    const { log, broken, reopen, loseDatabase } = await opened();
    const text = 'x'.repeat(1024 * 1024);
    for (let number = 1; number <= 6; number += 1)
      expect(await append(log, number, text)).toMatchObject({ kind: 'written' });
    await log.close();
    loseDatabase();
    const full = jest.spyOn(Database.prototype, 'store').mockRejectedValue(NO_SPACE);
    const again = await reopen();
    expect(full).toHaveBeenCalled();
    for (let position = 1; position <= 6; position += 1)
      expect(again.record(position).length).toBeGreaterThan(text.length);
    expect(await append(again, 7)).toStrictEqual({ kind: 'full' });
    expect(broken).toStrictEqual([]);
    full.mockRestore();
    await again.close();
  });
});

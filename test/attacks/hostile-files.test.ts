import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  appendFileSync,
  chownSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Manifest, manifestText } from '#apps/cli/backup/manifest.js';
import { writeWholeFile } from '#apps/cli/files/whole-file.js';
import { openLog } from '#embedded/event-store-node/storage/open-log.js';
import { secretFile } from '#platform/config/secret-file.js';
import { chunksOf, UnusableFile } from '#files/regular-file.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { mace } from '#test/support/cli-run.js';

const folder = temporaryFolder('hostile-files');
const at = (...names: string[]): string => join(folder.path, ...names);
afterAll(() => folder.remove());

const fifo = (path: string): void => void execFileSync('mkfifo', [path]);

/** Makes a thing at a path that is not a regular file, or that has no end. */
const STRANGE: Readonly<Record<string, (path: string) => void>> = {
  'a pipe that nobody writes to': fifo,
  'a link to an endless device': (path) => symlinkSync('/dev/zero', path),
  'a link to a pipe': (path) => {
    fifo(`${path}.pipe`);
    symlinkSync(`${path}.pipe`, path);
  },
  'a link to nothing': (path) => symlinkSync(`${path}.nothing`, path),
  'a folder': (path) => mkdirSync(path),
};

describe('A backup that an attacker made', () => {
  const CONTENT = 'content';
  const KEYS = 'keys.json';
  let count = 0;

  /** Writes a backup with these files, whose manifest is right. */
  function backupOf(...paths: string[]): string {
    const backup = at(`backup-${++count}`);
    for (const path of paths) {
      mkdirSync(dirname(join(backup, 'data', path)), { recursive: true });
      writeFileSync(join(backup, 'data', path), CONTENT);
    }
    writeManifest(backup, { files: paths.map(fileAt) });
    return backup;
  }

  const fileAt = (path: string) => ({
    path,
    bytes: CONTENT.length,
    sha256: createHash('sha256').update(CONTENT).digest('hex'),
  });

  function writeManifest(backup: string, fields: object): void {
    const manifest = {
      ...{ kind: 'mace_backup', version: 1, created_at: '2026-01-31T00:00:00.000Z' },
      ...{ log_id: null, position: '0', events: 0, last_event_id: '', keys: [] },
      ...{ artifacts: 0, queued_writes: 0, files: [] },
      ...fields,
    } as unknown as Manifest;
    mkdirSync(join(backup, 'data'), { recursive: true });
    writeFileSync(join(backup, 'manifest.json'), manifestText(manifest));
  }

  const restored = async (backup: string, ...more: string[]) => {
    const target = `${backup}-restored`;
    const ended = await mace(['restore', backup, '--data-dir', target, ...more]);
    return { ...ended, target };
  };

  /** Expects that a restore is refused with one sentence, and writes nothing. */
  async function expectRefused(backup: string, sentence: RegExp): Promise<void> {
    const { code, stderr, target } = await restored(backup);
    expect([code, stderr.trim().split('\n')]).toStrictEqual([3, [expect.stringMatching(sentence)]]);
    expect(existsSync(target)).toBe(false);
  }

  it('is restored if it has only what mace backup writes', async () => {
    const paths = [
      ...['event-store/events.lmdb', 'event-store/journal-0', 'event-store/secret'],
      ...[KEYS, 'admin-queue/refused-writes', `artifacts/ab/ab${'0'.repeat(62)}`],
    ];
    const { code, stderr, target } = await restored(backupOf(...paths));
    expect([stderr, code]).toStrictEqual(['', 0]);
    for (const path of paths) expect(readFileSync(join(target, path), 'utf8')).toBe(CONTENT);
  });

  it.each([
    ...['postgres/postgresql.conf', 'postgres/recovery.signal', 'postgres', 'recovery.signal'],
    ...['.bashrc', '.ssh/authorized_keys', 'event-store/data.mdb', 'event-store/store.complete/x'],
    ...['artifacts/store-id', `artifacts/cd/ab${'0'.repeat(62)}`, 'keys.json/x', 'lock-1'],
    ...['restore-unfinished', 'admin-queue/x', 'admin-queue-2/refused-writes', 'KEYS.JSON'],
  ])('is refused if it has %s', async (path) => {
    await expectRefused(
      backupOf(path),
      /which mace backup does not write\. Nothing was restored\.$/,
    );
  });

  it('is restored without such files with --skip-unknown, which names each', async () => {
    const backup = backupOf(KEYS, '.bashrc', 'postgres/postgresql.conf');
    const { code, stdout, target } = await restored(backup, '--skip-unknown');
    expect([code, stdout]).toStrictEqual([
      0,
      expect.stringMatching(/left out: \.bashrc[^]*left out: postgres\/postgresql\.conf/),
    ]);
    expect(existsSync(join(target, KEYS))).toBe(true);
    expect(existsSync(join(target, '.bashrc'))).toBe(false);
    expect(existsSync(join(target, 'postgres'))).toBe(false);
  });

  it.each(Object.entries(STRANGE))('is refused if a file of it is %s', async (_, make) => {
    const backup = backupOf(KEYS);
    rmSync(join(backup, 'data', KEYS));
    make(join(backup, 'data', KEYS));
    await expectRefused(backup, /keys\.json is a (pipe|link|folder)/);
  });

  it.each(Object.entries(STRANGE))('is refused if its manifest is %s', async (_, make) => {
    const backup = backupOf(KEYS);
    rmSync(join(backup, 'manifest.json'));
    make(join(backup, 'manifest.json'));
    await expectRefused(backup, /manifest\.json is a (pipe|link|folder)/);
  });

  it('is refused if a folder of it is a link', async () => {
    for (const linked of ['data', 'data/event-store']) {
      const backup = backupOf('event-store/secret');
      const elsewhere = at(`elsewhere-${count}`);
      execFileSync('mv', [join(backup, linked), elsewhere]);
      symlinkSync(elsewhere, join(backup, linked));
      await expectRefused(backup, /secret is reached through a link/);
    }
  });

  it('is refused if a file has more bytes than the manifest says, however many', async () => {
    const backup = backupOf(KEYS);
    truncateSync(join(backup, 'data', KEYS), 2 ** 40);
    await expectRefused(backup, /keys\.json has 1099511627776 bytes, more than the 7 it may have/);
  });

  it('is refused if its manifest is endless', async () => {
    const backup = backupOf(KEYS);
    truncateSync(join(backup, 'manifest.json'), 2 ** 40);
    await expectRefused(backup, /manifest\.json has 1099511627776 bytes, more than/);
  });

  it.each<[string, object]>([
    ['files that are not a list', { files: {} }],
    ['no files', { files: undefined }],
    ['keys that are not a list', { keys: 'keys.json' }],
    ['a file that is null', { files: [null] }],
    ['a file without a path', { files: [{ bytes: 1, sha256: 'x' }] }],
    ['a path that is a number', { files: [{ ...fileAt('x'), path: 7 }] }],
    ['a path that leaves the folder', { files: [fileAt('../keys.json')] }],
    ['an absolute path', { files: [fileAt('/etc/cron.d/x')] }],
    ['a size below zero', { files: [{ ...fileAt(KEYS), bytes: -1 }] }],
    ['a size that is a text', { files: [{ ...fileAt(KEYS), bytes: '7' }] }],
    ['a hash that is none', { files: [{ ...fileAt(KEYS), sha256: 'x' }] }],
    ['a file twice', { files: [fileAt(KEYS), fileAt(KEYS)] }],
  ])('is refused if its manifest has %s', async (_, fields) => {
    const backup = backupOf(KEYS);
    writeManifest(backup, fields);
    await expectRefused(backup, /Nothing was restored\.$/);
  });

  it.each(['null', '[]', '7', '"x"', '{', ''])('is refused if its manifest is %j', async (text) => {
    const backup = backupOf(KEYS);
    writeFileSync(join(backup, 'manifest.json'), text);
    await expectRefused(backup, /manifest\.json is damaged/);
  });
});

describe('A file that an attacker made', () => {
  const readers: Readonly<Record<string, (path: string) => string[]>> = {
    'mace verify': (path) => ['verify', path],
    'mace verify of its folder': (path) => ['verify', dirname(path)],
    'mace verify --key': (path) => ['verify', at('some.ndjson'), '--key', path],
    'mace verify --since': (path) => ['verify', '--log', '--since', path],
    'mace import': (path) => ['import', path, '--url', 'http://127.0.0.1:1'],
    'mace evaluate': (path) => ['evaluate', path, '--url', 'http://127.0.0.1:1'],
  };
  let count = 0;
  const newPath = (): string => {
    const inside = at(`folder-${++count}`);
    mkdirSync(inside);
    return join(inside, 'file.ndjson');
  };

  beforeAll(() => writeFileSync(at('some.ndjson'), ''));

  for (const [reader, args] of Object.entries(readers)) {
    for (const [what, make] of Object.entries(STRANGE)) {
      // A folder of bundles is what verify expects, and it says that an empty one has none.
      const isFolder = reader === 'mace verify' && what === 'a folder';
      it(`is refused by ${reader} with one sentence and exit code 2 if it is ${what}`, async () => {
        const path = newPath();
        make(path);
        const { code, stderr } = await mace(args(path), { MACE_DATA_DIR: at('no-data') });
        const sentence = isFolder
          ? /holds no \.ndjson file/
          : /(file\.ndjson is a (pipe|device|link|folder), not a regular file|There is no file|ENOENT)/;
        expect([code, stderr.trim().split('\n')]).toStrictEqual([
          2,
          [expect.stringMatching(sentence)],
        ]);
      });
    }

    it(`is refused by ${reader} in bounded memory if its line has no end`, async () => {
      const path = newPath();
      writeFileSync(path, '');
      truncateSync(path, 2 ** 40);
      const { code, stderr } = await mace(args(path), {
        ...{ MACE_DATA_DIR: at('no-data'), NODE_OPTIONS: '--max-old-space-size=256' },
      });
      expect([code, stderr.trim().split('\n')]).toStrictEqual([
        2,
        [
          expect.stringMatching(
            /file\.ndjson has (1099511627776 bytes, more than|more than 1048576 bytes|a line of more than)/,
          ),
        ],
      ]);
    });
  }

  it('is read only up to its size at the start, and is then refused, if it grows meanwhile', async () => {
    const path = newPath();
    writeFileSync(path, 'begun ');
    const read = async (): Promise<string> => {
      let text = '';
      for await (const chunk of chunksOf(path)) {
        text += chunk.toString();
        appendFileSync(path, 'grown');
      }
      return text;
    };
    await expect(read()).rejects.toStrictEqual(
      new UnusableFile(`${path} changed while it was read`),
    );
  });

  it('is read if it is a second name of a regular file', async () => {
    const path = newPath();
    writeFileSync(`${path}.first`, 'content');
    linkSync(`${path}.first`, path);
    const chunks: Buffer[] = [];
    for await (const chunk of chunksOf(path)) chunks.push(chunk);
    expect(Buffer.concat(chunks).toString()).toBe('content');
  });

  it('is also read from a pipe of the shell', () => {
    const main = fileURLToPath(import.meta.resolve('#programs/mace.js'));
    const command = `printf 'no bundle\\n' | "${process.execPath}" "${main}" verify /dev/stdin`;
    const { status, stdout } = spawnSync('sh', ['-c', command], { encoding: 'utf8' });
    expect([status, stdout]).toStrictEqual([
      1,
      expect.stringContaining('the first line does not name a stream'),
    ]);
  });
});

describe('A folder of an attacker to which mace writes', () => {
  const NAME = 'job.ndjson';
  const victim = at('victim');

  it.each<[string, (path: string) => void]>([
    ['a link to a file of the user', (path) => symlinkSync(victim, path)],
    ['a second name of a file of the user', (path) => linkSync(victim, path)],
    ['a pipe', fifo],
  ])(
    'leaves that file as it is if it has %s in place of the file and of its draft',
    async (_, make) => {
      writeFileSync(victim, 'kept');
      const out = mkdtempSync(at('out-'));
      for (const name of [NAME, `${NAME}.part`]) make(join(out, name));
      await writeWholeFile(join(out, NAME), ['written']);
      expect(readFileSync(victim, 'utf8')).toBe('kept');
      expect(lstatSync(join(out, NAME)).isFile()).toBe(true);
      expect(readFileSync(join(out, NAME), 'utf8')).toBe('written\n');
    },
  );
});

describe('A data directory into which an attacker has put things', () => {
  const newFolder = (): string => mkdtempSync(at('data-'));
  const KEYS = 'keys.json';
  const keysIn = (dataDir: string) => secretFile(dataDir, KEYS, () => 'keys');
  const refused = (reason: RegExp) =>
    expect.objectContaining({
      name: 'BadConfig',
      message: expect.stringMatching(reason) as unknown,
    });

  it.each(Object.entries(STRANGE).filter(([what]) => what !== 'a link to nothing'))(
    'is refused by the service if its keys are %s',
    async (_, make) => {
      const dataDir = newFolder();
      make(join(dataDir, KEYS));
      await expect(keysIn(dataDir)).rejects.toEqual(
        refused(/keys\.json is a (pipe|device|folder), not a regular file/),
      );
    },
  );

  it('is refused by the service if its keys belong to another user', async () => {
    const dataDir = newFolder();
    await keysIn(dataDir);
    const getuid = jest.spyOn(process, 'getuid').mockReturnValue(4_321);
    chownSync(join(dataDir, KEYS), 1_234, 1_234);
    await expect(keysIn(dataDir)).rejects.toEqual(refused(/belongs to another user/));
    getuid.mockRestore();
  });

  it.each(['events.lmdb', 'journal-0', 'journal-1'])(
    'is damaged for the embedded event store if its %s is a pipe',
    async (name) => {
      const store = newFolder();
      fifo(join(store, name));
      const options = { quotaBytes: Infinity, skipDamaged: false };
      const quiet = { onBroken: () => undefined, onNotice: () => undefined };
      await expect(openLog(store, { ...options, ...quiet })).rejects.toEqual(
        expect.objectContaining({
          name: 'DamagedStore',
          message: expect.stringContaining(`${name} is a pipe, not a regular file`) as unknown,
        }),
      );
    },
  );
});

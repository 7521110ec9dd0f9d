import { randomBytes } from 'node:crypto';
import type { Sealed } from '#domain/held.js';
import { Postgres } from '#read-model/postgres.js';
import { SealingKeys } from '#subject-keys/sealing-keys.js';
import { SubjectKeys } from '#subject-keys/subject-keys.js';
import { timedTurns } from '../harness/load.js';
import { perSecond, type Report, type Row, type Target } from '../harness/report.js';
import type { Setting } from '../harness/setting.js';

const VALUES = 100_000;
const SUBJECTS = 100;
const AT_ONCE = 64;
const TARGET = 20_000;

const valueOf = (index: number) => ({ contact: `person-${index}@example.test`, since: 2020 });

/** Case (sealing): values sealed and opened with keys that are in memory, in process. */
export async function sealing(setting: Setting): Promise<Report> {
  const postgres = new Postgres({ url: await setting.newDatabase() });
  try {
    const sealingKeys = new SealingKeys(randomBytes(32).toString('base64'));
    const keys = new SubjectKeys(postgres, sealingKeys, setting.dataDir);
    await keys.begin(noErasures());
    const count = setting.sized(VALUES);
    const sealed: Sealed[] = [];
    const seal = async (index: number): Promise<void> => {
      sealed[index] = await keys.seal(`user:${index % SUBJECTS}`, valueOf(index), 'email');
    };
    const open = (index: number) => keys.open(sealed[index] as Sealed);
    // The first use of each subject makes its key.
    await timedTurns(count / 10, AT_ONCE, seal);
    const rows = [
      perSecond('values sealed', count, await timedTurns(count, AT_ONCE, seal)),
      perSecond('values opened', count, await timedTurns(count, AT_ONCE, open)),
    ];
    return { rows, targets: rows.map(fast) };
  } finally {
    await postgres.close();
  }
}

const fast = ({ name, value }: Row): Target => ({
  what: `${name}: at least 20,000 a second`,
  measured: `${Math.round(value)} /s`,
  reached: value >= TARGET,
});

async function* noErasures(): AsyncGenerator<never> {
  // A new database has no erased keys.
}

import type { TortureClient } from '../client.js';
import type { Journal } from '../journal.js';
import type { Random } from '../random.js';

/** Writes, deletes and reads one fact, of which this client is the only writer, and one shared fact. */
export async function writeFacts(
  client: TortureClient,
  random: Random,
  journal: Journal,
  name: string,
): Promise<void> {
  const own = `world/fact/${name}/own`;
  let known: { readonly value: string | null } | undefined = { value: null };
  for (let round = 0; !client.isClosing; round += 1) {
    const value = `${name} ${round}`;
    switch (random.pick(['put', 'put', 'shared', 'delete', 'read', 'read'])) {
      case 'put': {
        const done = await client.write({ kind: 'put', adds: { fact_put: 1 } }, (mace, o) =>
          mace.sem.put(own, { value }, o),
        );
        known = done && { value };
        break;
      }
      case 'shared':
        await client.write({ kind: 'put', adds: { fact_put: 1 } }, (mace, o) =>
          mace.sem.put('world/fact/everybody/shared', { value }, o),
        );
        break;
      case 'delete': {
        if (known?.value === null) break;
        const done = await client.write(
          { kind: 'delete', adds: { fact_deleted: 1 }, mayBeRefused: ['SEM_NOT_FOUND'] },
          (mace, o) => mace.sem.delete(own, o),
        );
        known = done && { value: null };
        break;
      }
      case 'read': {
        const fact = await client.read('fact', (mace) => mace.sem.get(own));
        if (fact === undefined || client.lastWasStale || known === undefined) break;
        if (fact.value !== known.value)
          journal.mustNotBe(
            `${own} was read as ${JSON.stringify(fact.value)}; last acknowledged is ${JSON.stringify(known.value)}`,
          );
      }
    }
    await client.pause(20, 200);
  }
}

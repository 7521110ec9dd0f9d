import type { TortureClient } from '../client.js';
import type { Random } from '../random.js';

const READ_MODELS = [
  ...['sem', 'jobs', 'episodes', 'action_requests', 'memory_items', 'notes', 'threads'],
] as const;

/** Reads lists, as consoles and auditors do. */
export async function audit(client: TortureClient, random: Random): Promise<void> {
  while (!client.isClosing) {
    switch (random.pick(['jobs', 'facts', 'episodes', 'requests', 'logs', 'verify'])) {
      case 'jobs':
        await client.read('jobs', (mace) => mace.jobs.list({ limit: 50 }));
        break;
      case 'facts':
        await client.read('facts', (mace) => mace.sem.search('world/'));
        break;
      case 'episodes':
        await client.read('episodes', (mace) =>
          mace.episodes.query({ query_terms: 'word7 word9' }),
        );
        break;
      case 'requests':
        await client.read('requests', (mace) => mace.actionRequests.list({ limit: 50 }));
        break;
      case 'logs':
        await client.read('logs', (mace) => mace.reflectiveLogs.list({}));
        break;
      case 'verify':
        if (random.chance(0.1)) await client.read('verify', (mace) => mace.integrity.verify());
    }
    await client.pause(100, 700);
  }
}

/** Rebuilds read models while they are in use. */
export async function rebuild(client: TortureClient, random: Random): Promise<void> {
  while (!client.isClosing) {
    await client.pause(5_000, 30_000);
    if (client.isClosing) return;
    const name = random.pick(READ_MODELS);
    // A second rebuild of one read model is refused while the first runs.
    await client.read('rebuild', (mace) => mace.projections.rebuild(name), ['VERSION_CONFLICT']);
  }
}

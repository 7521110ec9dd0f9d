import type { TortureClient } from '../client.js';
import type { Journal } from '../journal.js';
import type { Random } from '../random.js';

const TEXTS = [
  'I prefer trains over planes, remember this for me.',
  'My name is Ada.',
  'Actually, my name is Ada Lovelace.',
  'We decided to visit Lisbon in May, remember this for the project.',
  'The weather was lovely last year.',
  'I like window seats.',
  'My password for the booking site is swordfish.',
] as const;

/** Talks in sessions of its own, and recalls what was said. */
export async function converse(
  client: TortureClient,
  random: Random,
  journal: Journal,
  name: string,
): Promise<void> {
  for (let number = 0; !client.isClosing; number += 1) {
    const session_id = `${name}-${number}`;
    const asked = {
      ...{ assistant: 'helper', session_id, user_id: name, project_root: `/srv/${name}` },
      memory: { short_term: 6, semantic: true, profile: true },
    };
    const turns = random.between(2, 15);
    for (let turn = 0; turn < turns && !client.isClosing; turn += 1) {
      const texts = { user_text: random.pick(TEXTS), ai_text: 'Noted.' };
      const done = await client.write(
        { kind: 'interaction', adds: { interaction_recorded: 1 } },
        (mace, o) => mace.memory.interactions({ ...asked, ...texts }, o),
      );
      if (done !== undefined && random.chance(0.6)) {
        const recalled = await client.write(
          { kind: 'recall', adds: { recall_asked: 1 } },
          (mace, o) => mace.memory.recall({ ...asked, query: 'seats and trains' }, o),
        );
        // The last turns are always recalled.
        if (recalled !== undefined && recalled.items.length === 0)
          journal.mustNotBe(
            `a recall in ${session_id} returned nothing after an acknowledged turn`,
          );
      }
      await client.pause(20, 250);
    }
  }
}

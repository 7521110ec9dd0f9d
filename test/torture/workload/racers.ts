import { randomUUID } from 'node:crypto';
import { TortureClient, type Workplace } from '../client.js';
import type { Journal } from '../journal.js';
import type { Random } from '../random.js';

const SUBJECTS = 6;

type Attempt = (client: TortureClient, index: number) => Promise<unknown>;

const turnIn = (session_id: string, user_text: string) => ({
  ...{ assistant: 'helper', session_id, user_text, ai_text: 'Noted.' },
  memory: { short_term: 4, semantic: true, profile: true },
});

/** Lets many subjects send the first command under one new name, on both instances at once. */
export async function race(place: Workplace, random: Random, name: string): Promise<void> {
  const numbers = Array.from({ length: SUBJECTS }, (_, index) => index);
  const subjects = await Promise.all(
    numbers.map((index) =>
      TortureClient.of(place, random.of(`${index}`), 'agent', {
        ...{ sub: `${name}-subject-${index}`, instance: index % 2 },
      }),
    ),
  );
  const [first] = subjects;
  for (let round = 0; first !== undefined && !first.isClosing; round += 1) {
    const id = `${name}-${round}`;
    switch (random.pick(['session', 'seed', 'job session', 'slug', 'key'])) {
      case 'session':
        await oneWins(place.journal, `session ${id}`, subjects, (client, index) =>
          client.write(
            { kind: 'raced interaction', adds: { interaction_recorded: 1 }, mayBeRefused: DENIED },
            (mace, o) => mace.memory.interactions(turnIn(id, `I prefer drink ${index}.`), o),
          ),
        );
        break;
      case 'seed':
        await oneWins(place.journal, `job ${id}`, subjects, (client) =>
          client.write(
            { kind: 'raced start', adds: { job_started: 1 }, mayBeRefused: ['JOB_EXISTS'] },
            (mace, o) => mace.jobs.start({ job_seed: id }, o),
          ),
        );
        break;
      case 'job session':
        await oneWins(place.journal, `session ${id} of jobs`, subjects, (client) =>
          client.write(
            { kind: 'raced start', adds: { job_started: 1 }, mayBeRefused: DENIED },
            (mace, o) => mace.jobs.start({ session_id: id }, o),
          ),
        );
        break;
      case 'slug': {
        const slug = id.replaceAll('-', '_');
        const spellings = [slug, slug.replaceAll('_', '-'), slug.replaceAll('_', '.')];
        const users = await Promise.all(
          spellings.map((sub) =>
            TortureClient.of(place, random.of(`${id} ${sub}`), 'user', { sub }),
          ),
        );
        await oneWins(place.journal, `owner ${slug}`, users, (client) =>
          client.write(
            { kind: 'raced put', adds: { fact_put: 1 }, mayBeRefused: DENIED },
            (mace, o) => mace.sem.put(`user/profile/user_${slug}/name`, { value: client.sub }, o),
          ),
        );
        break;
      }
      case 'key':
        await sameKey(place, random.of(id), first.sub, id);
    }
    await first.pause(500, 4_000);
  }
}

const DENIED = ['PERMISSION_DENIED'];

async function oneWins(
  journal: Journal,
  name: string,
  clients: readonly TortureClient[],
  attempt: Attempt,
): Promise<void> {
  const answers = await Promise.all(clients.map(attempt));
  const winners = clients.filter((_, index) => answers[index] !== undefined);
  if (winners.length > 1)
    journal.mustNotBe(`${name} was given to ${winners.map(({ sub }) => sub).join(' and ')}`);
}

/** Sends one operation to both instances at once, as an impatient client does. */
async function sameKey(
  place: Workplace,
  random: Random,
  sub: string,
  session_id: string,
): Promise<void> {
  const key = randomUUID();
  const answers = await Promise.all(
    [0, 1].map(async (instance) => {
      const client = await TortureClient.of(place, random.of(`${instance}`), 'agent', {
        ...{ sub, instance },
      });
      return client.write(
        { kind: 'doubled interaction', adds: { interaction_recorded: 1 } },
        (mace, o) => mace.memory.interactions(turnIn(session_id, 'I prefer tea.'), o),
        key,
      );
    }),
  );
  const [one, other] = answers.map((answer) => JSON.stringify(answer));
  if (one !== undefined && other !== undefined && one !== other)
    place.journal.mustNotBe(`one key got two answers in session ${session_id}`);
}

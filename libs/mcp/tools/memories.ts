import { z } from 'zod';
import { requestFields } from '../request-fields.js';
import { ADDS, lines, output, READS, REPLACES, type Role, shown, tool, whole } from '../tool.js';

const ACTING: readonly Role[] = ['agent', 'user'];

const PERSON = 'The person, if your token names none; default: the person of your token.';
const TAGS = 'Words of your own by which recall may choose.';

const remember = tool({
  name: 'remember',
  title: 'Remember about the person',
  description:
    'Keeps a text about the person until it is forgotten, in every later conversation: what they like, need, own, decided, ' +
    'or want you to do from now on. Give text, one memory in a full sentence; or said, the person’s own words, of which ' +
    'the service keeps what lasts. The same text is kept once.',
  routes: ['POST /v1/remember'],
  roles: ACTING,
  annotations: ADDS,
  input: () =>
    requestFields('POST /v1/remember', {
      text: 'One memory, such as "Is allergic to peanuts".',
      said: 'In place of text: what the person said.',
      user_id: PERSON,
      tags: TAGS,
      expires_in: 'The memory lapses after so many seconds; default: never.',
    }),
  output: output({
    kept: z.array(
      output({ id: z.string(), version: whole, text: z.string(), existed: z.boolean() }),
    ),
    not_kept: z.array(output({ text: z.string(), reason: z.string() })),
  }),
  call: async (client, what) => {
    const { kept, not_kept } = await client.remember(what);
    return { kept: [...kept], not_kept: [...not_kept] };
  },
  text: ({ kept, not_kept }) =>
    lines(
      [
        ...kept.map(
          ({ id, text, existed }) =>
            `${existed ? 'Known before' : 'Remembered'} as ${id}: ${shown(text)}`,
        ),
        ...not_kept.map(({ text, reason }) => `Not kept (${reason}): ${shown(text)}`),
      ],
      'There was nothing to keep.',
    ),
});

const recall = tool({
  name: 'recall',
  title: 'Recall about the person',
  description:
    'Returns what is remembered about the person: what a query finds, best first, then the newest. Call it before you ' +
    'answer something that depends on the person. search does not find these.',
  routes: ['POST /v1/recall'],
  roles: ACTING,
  annotations: READS,
  input: () =>
    requestFields('POST /v1/recall', {
      query: 'The person’s message, or words; default: the newest memories.',
      user_id: PERSON,
      limit: ['How many to return.', 10],
      tags: 'Only memories with all these tags.',
      shared: 'True: public facts and episodes as well.',
    }).omit({ max_chars: true }),
  output: output({
    recalled: z.array(
      output({
        kind: z.enum(['memory', 'memory_item', 'fact', 'episode']),
        id: z.string(),
        line: z.string().describe('The date and the text.'),
      }),
    ),
  }),
  call: async (client, asked) => {
    const { recalled } = await client.recall(asked);
    return { recalled: recalled.map(({ kind, id, line }) => ({ kind, id, line })) };
  },
  text: ({ recalled }) =>
    lines(
      recalled.map(({ id, line }) => `${shown(line)} (${id})`),
      'Nothing is remembered about this person.',
    ),
});

const forget = tool({
  name: 'forget',
  title: 'Forget about the person',
  description:
    'Forgets a memory about the person, because they ask for it or because it is wrong: no recall shows it any more.',
  routes: ['DELETE /v1/memories/{memory_id}'],
  roles: ACTING,
  annotations: REPLACES,
  input: () =>
    requestFields('DELETE /v1/memories/{memory_id}', {
      memory_id: 'The id, as recall or remember returned it: mem:….',
      user_id: PERSON,
    }),
  output: output({ forgotten: z.boolean().describe('False if there was no such memory.') }),
  call: async (client, { memory_id, ...of }) => ({
    forgotten: await client.forget(memory_id, of),
  }),
  text: ({ forgotten }) => (forgotten ? 'Forgotten.' : 'There is no such memory.'),
});

/** Tools for what is remembered about a person. */
export const MEMORY_TOOLS = [remember, recall, forget];

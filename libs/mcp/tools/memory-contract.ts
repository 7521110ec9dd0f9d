import { z } from 'zod';
import { requestFields } from '../request-fields.js';
import { lines, output, READS, shown, tool } from '../tool.js';

const recallTurns = tool({
  name: 'recall_turns',
  title: 'Recall the turns of a conversation',
  description:
    'Recalls what a conversation’s memory holds for a message: recent turns, related earlier statements, and the ' +
    'person’s profile. Call it before you answer a message, if your runtime records the turns. To look through all ' +
    'memory, call search.',
  routes: ['POST /v1/memory/recall'],
  roles: ['agent', 'admin'],
  annotations: READS,
  input: () =>
    requestFields('POST /v1/memory/recall', {
      query: 'The person’s message.',
      session_id: 'The conversation.',
      user_id: 'The person; without it, only this conversation is used.',
      project_root: 'An absolute path: also uses the memory of this project.',
    })
      .omit({ assistant: true, memory: true, policy: true, phase: true, trace: true })
      .extend({
        short_term: z
          .int()
          .min(0)
          .max(1_000)
          .default(6)
          .describe('How many recent turns to return.'),
      }),
  output: output({
    items: z
      .array(
        output({
          id: z.string(),
          kind: z.enum(['short_term', 'semantic', 'profile']),
          text: z.string(),
          source: z.enum(['user', 'ai', 'tool', 'system']),
        }),
      )
      .describe('Recent turns, then related statements, then the profile.'),
  }),
  call: async (client, { short_term, ...asked }) => {
    const { items } = await client.memory.recall({
      ...asked,
      assistant: 'mcp',
      trace: false,
      memory: { short_term, semantic: true, profile: true },
    });
    return { items: items.map(({ id, kind, text, source }) => ({ id, kind, text, source })) };
  },
  text: ({ items }) =>
    lines(
      items.map(({ kind, source, text }) => `${kind}, ${source}: ${shown(text)}`),
      'The conversation’s memory has nothing for this.',
    ),
});

export const RECALL_TOOLS = [recallTurns];

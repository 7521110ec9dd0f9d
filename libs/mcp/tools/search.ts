import { z } from 'zod';
import type { SearchHit } from '#client/search.js';
import { requestFields } from '../request-fields.js';
import { lines, output, READS, shown, tool, whole } from '../tool.js';

const KINDS = ['episode', 'fact', 'memory_item', 'note', 'wm', 'cwm'] as const;

const hitShown = ({ kind, id, text, score, shown_at, note, source }: SearchHit) => ({
  kind,
  id,
  text,
  score,
  time: shown_at,
  ...(note !== undefined && { note: { namespace: [...note.namespace], key: note.key } }),
  source: { ...source },
});

const search = tool({
  name: 'search',
  title: 'Search all memory',
  description:
    'Searches everything that you may read: notes, facts, episodes of earlier jobs, conversations, and entries of jobs. ' +
    'Call it to look through facts, notes, episodes and what a job holds; recall has what is remembered about the person. Matches words in any form, not meanings: name the things ' +
    'you look for. The id of an episode is what propose_fact needs.',
  routes: ['POST /v1/search'],
  roles: ['agent', 'user', 'council', 'admin', 'auditor'],
  annotations: READS,
  input: () =>
    requestFields('POST /v1/search', {
      query: 'Words; a phrase in "quotes" must occur, a word or phrase with -minus must not.',
      kinds: 'Only these kinds. memory_item: a conversation; wm and cwm: entries of jobs.',
      namespace: 'Only notes in this namespace or below it.',
      job_seed: 'Only what is in this job.',
      session_id: 'Only what is in this session.',
      space: 'Only conversations of this space.',
      time_window: 'Only what was said in this time, where a runtime gave it.',
      recorded_window: 'Only what was written in this time.',
      project_root: 'An absolute path: also searches the memory of this project.',
      user_id: 'The person you act for, if your token names none.',
      max_results: ['1 to 100.', 10],
    }),
  output: output({
    as_of: z.string().describe('The position in the log at which memory was searched.'),
    hits: z
      .array(
        output({
          kind: z.enum(KINDS),
          id: z.string(),
          text: z.string(),
          score: z.number(),
          time: z.string().describe('When it was said or, if nobody gave that, written.'),
          note: output({ namespace: z.array(z.string()), key: z.string() }).optional(),
          source: output({ stream: z.string(), number: whole, hash: z.string() }).describe(
            'The event that put the text into memory.',
          ),
        }),
      )
      .describe('Best first.'),
  }),
  call: async (client, request) => {
    const { as_of, hits } = await client.search(request);
    return { as_of, hits: hits.map(hitShown) };
  },
  text: ({ hits }) =>
    lines(
      hits.map(({ kind, id, text, time, note }) => {
        const where = note === undefined ? id : `${shown(note.namespace)} ${shown(note.key)}`;
        return `${kind} ${where}, ${time}: ${shown(text)}`;
      }),
      'Nothing is found. Try other words.',
    ),
});

export const SEARCH_TOOLS = [search];

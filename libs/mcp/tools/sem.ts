import { z } from 'zod';
import type { Fact, ListedFact } from '#client/sem.js';
import { requestFields } from '../request-fields.js';
import { factKey, input, json, output, READS, type Role, shown, lines, tool } from '../tool.js';

const READERS: readonly Role[] = ['agent', 'user', 'council', 'admin', 'auditor'];

const factFields = {
  value: json.describe('Null if the fact does not exist.'),
  source: z.string().optional().describe('user, system or agent:<id>: whose statement it is.'),
  last_updated: z.string().optional(),
  version: z.int().optional().describe('The number of the fact’s event.'),
};

const approval = output({
  request_id: z.string(),
  decided_at: z.string(),
  approvals: z.int().describe('How many reviewers approved it.'),
});

const factShown = (fact: Fact | ListedFact) =>
  fact.exists
    ? {
        exists: true,
        value: fact.value,
        source: fact.source,
        last_updated: fact.last_updated,
        version: fact.version,
      }
    : { exists: false, value: null };

const approvalText = (approved?: z.output<typeof approval> | null): string =>
  approved ? `, approved by ${approved.approvals} in request ${approved.request_id}` : '';

const readFact = tool({
  name: 'read_fact',
  title: 'Read a fact',
  description:
    'Reads one approved fact, either by its key (scope/entity_type/entity_id/attribute) or by a phrase such as ' +
    '“my favourite colour”. Says so if there is no such fact; then do not make one up.',
  routes: [
    'GET /v1/sem/{scope}/{entity_type}/{entity_id}/{attribute}',
    'POST /v1/sem-aliases/resolve',
  ],
  roles: READERS,
  annotations: READS,
  input: () => {
    const fields = requestFields('POST /v1/sem-aliases/resolve', {
      text: 'Words that name the fact. Give either key or phrase.',
      user_id: 'Whose fact a phrase with “my” means.',
    }).shape;
    const { at } = requestFields(
      'GET /v1/sem/{scope}/{entity_type}/{entity_id}/{attribute}',
      {},
    ).shape;
    return input({
      key: factKey
        .optional()
        .describe('For example world/colour/sky/name. Give either key or phrase.'),
      phrase: fields.text.optional(),
      user_id: fields.user_id,
      at,
    }).refine(({ key, phrase }) => (key === undefined) !== (phrase === undefined), {
      error: 'Give either key or phrase.',
    });
  },
  output: output({
    ...{ key: z.string().nullable(), exists: z.boolean(), ...factFields },
    approved_by: approval.optional().describe('Missing if nobody approved it.'),
  }),
  call: async (client, { key, phrase, user_id, at }) => {
    const named = key ?? (await client.sem.resolveAlias(phrase ?? '', user_id)).key;
    if (named === null) return { key: null, exists: false, value: null };
    const fact = await client.sem.get(named, at === undefined ? {} : { at });
    const approved_by = fact.exists ? fact.approved_by : undefined;
    return {
      key: named,
      ...factShown(fact),
      ...(approved_by === undefined ? {} : { approved_by }),
    };
  },
  text: ({ key, exists, value, source, last_updated, approved_by }) =>
    exists
      ? `${key} = ${shown(value)} (source ${source}, updated ${last_updated}${approvalText(approved_by)})`
      : key === null
        ? 'No fact is known by this phrase.'
        : `There is no fact under ${key}.`,
});

const listFacts = tool({
  name: 'list_facts',
  title: 'List facts',
  description:
    'Lists the approved facts whose keys begin with a prefix, such as user/profile/user_mira/. Call it to see what ' +
    'is known about a person or thing.',
  routes: ['GET /v1/sem'],
  roles: READERS,
  annotations: READS,
  input: () => {
    const { prefix, cursor, at } = requestFields('GET /v1/sem', {
      prefix: 'The first part of the keys, for example world/colour/.',
      cursor: 'next_cursor of the page before.',
    }).shape;
    return input({ prefix: prefix.unwrap(), cursor, at });
  },
  output: output({
    facts: z.array(output({ key: z.string(), exists: z.boolean(), ...factFields })),
    next_cursor: z.string().nullable().describe('Null on the last page.'),
  }),
  call: async (client, { prefix, cursor, at }) => {
    const page = await client.sem.search(prefix, cursor, at === undefined ? {} : { at });
    return {
      facts: page.facts.map((fact) => ({ key: fact.key, ...factShown(fact) })),
      next_cursor: page.next_cursor,
    };
  },
  text: ({ facts, next_cursor }) =>
    lines(
      [
        ...facts.map(({ key, value, source }) => `${key} = ${shown(value)} (source ${source})`),
        ...(next_cursor === null ? [] : [`More: cursor ${next_cursor}`]),
      ],
      'There is no fact with this prefix.',
    ),
});

/** Tools that read facts. No tool writes one: an agent proposes it, and the council decides. */
export const FACT_TOOLS = [readFact, listFacts];

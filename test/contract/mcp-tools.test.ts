import { describe, expect, it } from '@jest/globals';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { format, resolveConfig } from 'prettier';
import { z } from 'zod';
import { routeTable } from '#apps/api/platform/auth/route-table.js';
import { instructionsFor } from '#mcp/instructions.js';
import { REQUESTS } from '#mcp/requests.js';
import { RESOURCES } from '#mcp/resources.js';
import { TOOLS, toolsFor } from '#mcp/tools/index.js';
import { withToolsTable } from '#mcp/tools-table.js';
import { ROLES } from '#platform/auth/roles.js';
import { previewedApp } from '#test/support/previewed-app.js';

const table = routeTable(await previewedApp());
const rolesOf = (route: string): readonly string[] => {
  const entry = table.find(({ method, path }) => `${method} ${path}` === route);
  return [...(entry?.roles?.own ?? []), ...(entry?.roles?.all ?? [])];
};

const PAGE = fileURLToPath(new URL('../../docs/mcp.md', import.meta.url));

describe('docs/mcp.md', () => {
  it('shows the tools: npm run generate:client changes nothing', async () => {
    const page = await readFile(PAGE, 'utf8');
    const options = { ...(await resolveConfig(PAGE)), filepath: PAGE };
    expect(await format(withToolsTable(page), options)).toBe(page);
    for (const { name } of TOOLS) expect(page).toContain(`| \`${name}\` `);
  });

  it('lists every kind of resource, and each of its JSON blocks is valid JSON', async () => {
    const page = await readFile(PAGE, 'utf8');
    for (const { template } of RESOURCES) expect(page).toContain(`| \`${template}\` `);
    const blocks = [...page.matchAll(/```json\n([^]*?)```/g)].map(([, text = '']) => text);
    expect(blocks.length).toBeGreaterThan(3);
    for (const block of blocks) expect(JSON.parse(block)).toEqual(expect.any(Object));
  });
});

describe('The tools of the MCP server and the routes that they call', () => {
  it('a tool takes the fields of its request with their types and limits, and its own words and defaults', () => {
    const schemaOf = (name: string) => {
      const { input } = TOOLS.find((tool) => tool.name === name) ?? {};
      return input && z.toJSONSchema(input(), { io: 'input' });
    };
    const { properties } = REQUESTS['POST /v1/jobs/{seed}/wm'];
    const { expected_version: _leftOut, seed, ...entry } = properties;
    const hold = schemaOf('job_hold');
    expect(hold).toMatchObject({
      required: ['job_seed', 'value'],
      additionalProperties: false,
    });
    expect(Object.keys(hold?.properties ?? {})).toEqual(['job_seed', ...Object.keys(entry)]);
    expect(hold?.properties).toMatchObject({
      job_seed: seed,
      type: { ...properties['type'], default: 'fact' },
      ttl_ticks: {
        ...properties['ttl_ticks'],
        description: 'The ticks until the entry expires; default 3.',
      },
    });
    expect(schemaOf('list_requests')?.properties?.['limit']).toMatchObject({
      ...REQUESTS['GET /v1/action-requests'].properties['limit'],
      default: 20,
    });
  });

  it('a tool names the longest text of a field and leaves its check to the service, which counts an emoji as one character', () => {
    const { input } = TOOLS.find(({ name }) => name === 'propose_fact') ?? {};
    const proposal = { key: 'world/a/b/c', value: 1, episodic_id: 'ep:1' };
    const justified = REQUESTS['POST /v1/action-requests'].properties['justification'];
    const { maxLength } = z.object({ maxLength: z.int() }).parse(justified);
    const justification = '😀'.repeat(maxLength / 2 + 1);
    expect(input?.().safeParse({ ...proposal, justification }).success).toBe(true);
    expect(z.toJSONSchema(input!()).properties?.['justification']).toMatchObject({ maxLength });
  });

  it('each tool calls routes that exist', () => {
    const routes = new Set(table.map(({ method, path }) => `${method} ${path}`));
    for (const { name, routes: called } of TOOLS)
      expect([name, called.filter((route) => !routes.has(route))]).toStrictEqual([name, []]);
  });

  it('a role sees a tool if all its routes allow the role; of the reviewers’ tools, only the council sees any', () => {
    const expected = TOOLS.map(({ name, routes, isReview }) => [
      name,
      isReview === true
        ? ['council']
        : ROLES.filter((role) => routes.every((route) => rolesOf(route).includes(role))),
    ]);
    expect(TOOLS.map(({ name, roles }) => [name, roles])).toStrictEqual(expected);
    for (const { routes, isReview } of TOOLS.filter(({ isReview }) => isReview === true))
      expect([isReview, routes.every((route) => rolesOf(route).includes('council'))]).toStrictEqual(
        [true, true],
      );
  });

  it('the instructions name only tools that the caller sees, and every way of its tools that lasts', () => {
    const named = (text: string) => new Set(text.match(/[a-z_]+/g));
    for (const role of ROLES) {
      const seen = new Set(toolsFor([role]).map(({ name }) => name));
      const words = named(instructionsFor(seen));
      const unseen = TOOLS.filter(({ name }) => words.has(name) && !seen.has(name));
      expect([role, unseen.map(({ name }) => name)]).toStrictEqual([role, []]);
      for (const lasting of ['remember', 'write_note', 'propose_fact'])
        expect([role, lasting, words.has(lasting)]).toStrictEqual([
          ...[role, lasting, seen.has(lasting)],
        ]);
    }
  });

  it('the instructions say of the tools of a job that what they hold vanishes, and of a person’s memories that they last', () => {
    const names = ['remember', 'recall', 'forget', 'write_note', 'propose_fact', 'start_job'];
    const text = instructionsFor(new Set(names));
    const lines = text.split('\n');
    expect(lines.filter((line) => line.startsWith('- '))).toStrictEqual([
      expect.stringContaining('remember {text} keeps a text about the person until'),
      expect.stringContaining('write_note'),
      expect.stringContaining('propose_fact'),
    ]);
    expect(text).toContain('What vanishes: job_hold.');
  });

  it('no set of roles sees both a tool that proposes and a tool that approves', () => {
    const sets = Array.from({ length: 2 ** ROLES.length }, (_, bits) =>
      ROLES.filter((_role, index) => bits & (1 << index)),
    );
    for (const roles of sets) {
      const seen = toolsFor(roles);
      const proposes = seen.some(({ name }) => name === 'propose_fact');
      const approves = seen.some(({ isReview }) => isReview === true);
      expect([roles, proposes && approves]).toStrictEqual([roles, false]);
    }
    expect(toolsFor([])).toStrictEqual([]);
    expect(toolsFor(['king'])).toStrictEqual([]);
  });
});

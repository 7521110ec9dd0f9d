import { describe, expect, it } from '@jest/globals';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { format, resolveConfig } from 'prettier';
import { z } from 'zod';
import { routeTable } from '#apps/api/platform/auth/route-table.js';
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
    const remember = schemaOf('remember');
    expect(remember).toMatchObject({
      required: ['job_seed', 'value'],
      additionalProperties: false,
    });
    expect(Object.keys(remember?.properties ?? {})).toEqual(['job_seed', ...Object.keys(entry)]);
    expect(remember?.properties).toMatchObject({
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

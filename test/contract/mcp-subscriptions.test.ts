import { type AuthInfo, McpServer } from '@modelcontextprotocol/server';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { subscriptionShares } from '#apps/api/mcp/memory-endpoint.js';
import { HttpEndpoint, untilItEnds } from '#mcp/http-endpoint.js';

const REVISION = '2026-07-28';
const META = {
  'io.modelcontextprotocol/protocolVersion': REVISION,
  'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
};
const LISTEN = {
  ...{ jsonrpc: '2.0', id: 1, method: 'subscriptions/listen' },
  params: { _meta: META, notifications: { toolsListChanged: true } },
};

let endpoint: HttpEndpoint;

/** Makes a server that announces changes, so that its subscriptions stay open. */
const announcing = (): McpServer =>
  new McpServer({ name: 'test', version: '1' }, { capabilities: { tools: { listChanged: true } } });

beforeEach(() => {
  endpoint = new HttpEndpoint({
    ...{ serverFor: announcing, hosts: [], acceptsEveryHost: true },
    takeSubscription: subscriptionShares(),
  });
});
afterEach(() => endpoint.close());

/** Opens a stream that waits for changes. */
function subscribed(sub: string, body: object = LISTEN, signal?: AbortSignal): Promise<Response> {
  const headers = {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    'mcp-protocol-version': REVISION,
    'mcp-method': 'subscriptions/listen',
  };
  const request = new Request('http://mace.invalid/mcp', {
    ...{ method: 'POST', headers },
    ...(signal && { signal }),
  });
  const caller: AuthInfo = { token: '', clientId: sub, scopes: [] };
  return endpoint.answer(request, caller, body);
}

const open = async (sub: string, count: number): Promise<Response[]> => {
  const streams: Response[] = [];
  for (let n = 0; n < count; n += 1) streams.push(await subscribed(sub));
  for (const { headers } of streams) expect(headers.get('content-type')).toBe('text/event-stream');
  return streams;
};

const REFUSED = (limit: string) =>
  expect.objectContaining({ code: 'RATE_LIMITED', facts: { limit } });

test('a subject has at most 10 subscriptions open, and does not use up those of others', async () => {
  const [first] = await open('greedy', 10);
  await expect(subscribed('greedy')).rejects.toThrow(REFUSED('10 open MCP subscriptions'));
  const others = await open('other', 10);
  await first?.body?.cancel();
  await open('greedy', 1);
  await expect(subscribed('greedy')).rejects.toThrow(REFUSED('10 open MCP subscriptions'));
  expect(others).toHaveLength(10);
});

test('a subscription that ends, that its client leaves, or that is malformed gives its place back', async () => {
  const client = new AbortController();
  const left = await subscribed('me', LISTEN, client.signal);
  client.abort();
  await left.text();
  const nothingAnnounced = { _meta: META, notifications: { promptsListChanged: true } };
  for (const params of [nothingAnnounced, { _meta: META }])
    for (let n = 0; n < 20; n += 1) await (await subscribed('me', { ...LISTEN, params })).text();
  await open('me', 10);
});

test('a subscription whose stream breaks gives its place back', async () => {
  let released = 0;
  const broken = new Response(
    new ReadableStream({
      pull() {
        throw new Error('the connection broke');
      },
    }),
  );
  await expect(untilItEnds(broken, () => (released += 1)).text()).rejects.toThrow('broke');
  expect(released).toBe(1);
});

test('at most 100 subscriptions are open at once', async () => {
  for (let n = 0; n < 10; n += 1) await open(`subject ${n}`, 10);
  await expect(subscribed('one more')).rejects.toThrow(
    REFUSED('100 open MCP subscriptions of all'),
  );
});

// Runs the MCP reference memory server over its own transport. At each size it measures a search and the
// creation of an entity.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { answer, args, preferences } from './answer.mjs';

const { sizes, turns, warmUp } = args;
const texts = preferences(Math.max(...sizes) + 2 * turns);
const server = createRequire(import.meta.url).resolve(
  '@modelcontextprotocol/server-memory/dist/index.js',
);

const entity = (index) => ({
  type: 'entity',
  name: `preference_${index}`,
  entityType: 'preference',
  observations: [texts[index]],
});

async function measured(size) {
  const folder = mkdtempSync(join(tmpdir(), 'mcp-memory-'));
  const file = join(folder, 'memory.jsonl');
  const lines = Array.from({ length: size }, (_, index) => JSON.stringify(entity(index)));
  writeFileSync(file, lines.join('\n'));
  const client = new Client({ name: 'bench', version: '1.0.0' });
  const env = { ...process.env, MEMORY_FILE_PATH: file };
  await client.connect(
    new StdioClientTransport({ command: process.execPath, args: [server], env, stderr: 'ignore' }),
  );
  for (let index = 0; index < warmUp; index += 1)
    await client.callTool({ name: 'search_nodes', arguments: { query: 'word1' } });
  const searches = [];
  const creations = [];
  for (let turn = -10; turn < turns; turn += 1) {
    const began = performance.now();
    const query = texts[(turn + 10) % size].split(' ').at(-1);
    const found = await client.callTool({ name: 'search_nodes', arguments: { query } });
    if (found.isError) throw new Error('The search failed');
    const searched = performance.now();
    const { type: _, ...one } = entity(size + turn + 10);
    const made = await client.callTool({ name: 'create_entities', arguments: { entities: [one] } });
    if (made.isError) throw new Error('The entity was not created');
    if (turn < 0) continue;
    searches.push(searched - began);
    creations.push(performance.now() - searched);
  }
  await client.close();
  rmSync(folder, { recursive: true, force: true });
  return { size, searches, creations };
}

const results = [];
for (const size of sizes) results.push(await measured(size));
answer({ results });
process.exit(0);

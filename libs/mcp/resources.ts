import {
  type McpServer,
  type ReadResourceResult,
  ResourceNotFoundError,
  ResourceTemplate,
  type Variables,
} from '@modelcontextprotocol/server';
import type { MaceClient } from '#client/mace-client.js';
import { failedRead } from './failure.js';
import { FACT_KEY } from './tool.js';

/** A kind of resource: a template of addresses, and the request that reads one of them. */
export interface MemoryResource {
  readonly name: string;
  readonly title: string;
  readonly template: string;
  readonly description: string;
  /** Reads the resource with these parts; undefined if there is none. */
  readonly read: (client: MaceClient, parts: readonly string[]) => Promise<unknown>;
}

const NOWHERE = Promise.resolve(undefined);

/** The kinds of resources, with the parts of their addresses in the order of the template. */
export const RESOURCES: readonly MemoryResource[] = [
  {
    name: 'job',
    title: 'A job',
    template: 'mace://jobs/{seed}',
    description: 'The state of a job: its goal, working memory and consolidated memory.',
    read: (client, [seed = '']) => client.job(seed).get(),
  },
  {
    name: 'fact',
    title: 'A fact',
    template: 'mace://facts/{scope}/{entity_type}/{entity_id}/{attribute}',
    description: 'A fact by its key, with its source. A missing fact has `exists: false`.',
    read: (client, parts) => {
      const key = parts.join('/');
      return FACT_KEY.test(key) ? client.sem.get(key) : NOWHERE;
    },
  },
  {
    name: 'note',
    title: 'A note',
    template: 'mace://notes/{+path}',
    description: 'One of the caller’s notes: the parts of its namespace and its key, each encoded.',
    read: (client, parts) => client.notes.get(parts.slice(0, -1), parts.at(-1) ?? ''),
  },
];

/** Returns the decoded parts of an address after its kind, for example the seed of a job. */
const partsOf = (uri: URL): string[] =>
  uri.pathname
    .split('/')
    .slice(1)
    .map((part) => decodeURIComponent(part));

/** Adds the resources to a server. The service decides on each read whether the caller may see it. */
export function addResources(server: McpServer, client: MaceClient): void {
  for (const { name, title, template, description, read } of RESOURCES)
    server.registerResource(
      name,
      new ResourceTemplate(template, { list: undefined }),
      { title, description, mimeType: 'application/json' },
      async (uri: URL, _variables: Variables): Promise<ReadResourceResult> => {
        try {
          const value = await read(client, partsOf(uri));
          if (value === undefined) throw new ResourceNotFoundError(uri.href);
          const text = JSON.stringify(value);
          return { contents: [{ uri: uri.href, mimeType: 'application/json', text }] };
        } catch (error) {
          throw failedRead(error, uri);
        }
      },
    );
}

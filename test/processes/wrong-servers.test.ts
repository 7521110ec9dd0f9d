import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { status } from '@grpc/grpc-js';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import {
  type Script,
  type ScriptedServer,
  startScriptedServer,
} from '../contract/event-store-scripted-server.js';
import { startTestPostgres, type TestServer } from '#test/support/servers.js';
import { TEST_KEYS } from '#test/support/test-keys.js';

const PROGRAMS = {
  service: fileURLToPath(import.meta.resolve('#programs/api.js')),
  projector: fileURLToPath(import.meta.resolve('#programs/projector.js')),
};

const refusing = (code: number): Script => ({
  onRead: (call) => call.emit('error', { code, details: 'refused' }),
});

describe('A start with an event store that cannot be used', () => {
  let postgres: TestServer;
  const servers: ScriptedServer[] = [];
  beforeAll(async () => {
    postgres = await startTestPostgres();
  });
  afterAll(async () => {
    for (const server of servers) server.stop();
    await postgres.stop();
  });

  async function urlOf(script: Script): Promise<string> {
    const server = await startScriptedServer(script);
    servers.push(server);
    return server.url;
  }

  async function startOf(program: keyof typeof PROGRAMS, eventStoreUrl: string) {
    const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith('MACE_'));
    const child = spawn(process.execPath, [PROGRAMS[program]], {
      env: {
        ...Object.fromEntries(inherited),
        ...TEST_KEYS,
        PORT: '0',
        MACE_EVENTSTORE_URL: eventStoreUrl,
        MACE_POSTGRES_URL: postgres.url,
      },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let stderr = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
    const [code] = (await once(child, 'close')) as [number | null];
    return { code, lastLine: stderr.trim().split('\n').at(-1) };
  }

  it('a refused user ends the service and the projector with exit code 4 and one sentence', async () => {
    const url = await urlOf(refusing(status.UNAUTHENTICATED));
    for (const program of ['service', 'projector'] as const)
      expect(await startOf(program, url)).toStrictEqual({
        code: 4,
        lastLine: expect.stringMatching(
          /^The event store cannot be used: 127\.0\.0\.1:\d+ refuses the user and password/,
        ),
      });
  });

  it('a user without the right to read $all ends the service with exit code 4', async () => {
    const url = await urlOf(refusing(status.PERMISSION_DENIED));
    expect(await startOf('service', url)).toMatchObject({
      code: 4,
      lastLine: expect.stringMatching(/does not let the user .* read \$all/),
    });
  });

  it('a connection string with a wrong option ends the service with exit code 4', async () => {
    expect(await startOf('service', 'esdb://127.0.0.1:2113?tsl=false')).toMatchObject({
      code: 4,
      lastLine: expect.stringMatching(/^MACE_EVENTSTORE_URL cannot be used: unknown option "tsl"/),
    });
  });
});

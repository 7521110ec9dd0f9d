import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Notice, postNotice } from '#apps/api/review-notices/review-webhook.js';
import { HOSTILE, HostileServer } from '#test/support/hostile-server.js';

const NOTICE: Notice = {
  ...{ id: 'request', notice: 'new', kind: 'sem_put', risk: 'low' },
  deadline: '2026-01-01T00:00:00.000Z',
};

let server: HostileServer;
beforeAll(async () => {
  server = await HostileServer.start();
});
afterAll(() => server.stop());

const posted = (): Promise<void> => {
  const webhook = { url: `${server.url}/notices`, secret: 'of-this-test-only' };
  return postNotice(webhook, NOTICE, new AbortController().signal, 500);
};

/** The answers without a status of 2xx. The body of any other answer is not read. */
const NOT_ACKNOWLEDGED = /headers|interim|nothing|redirect|no HTTP/;

test.each(Object.entries(HOSTILE).filter(([name]) => NOT_ACKNOWLEDGED.test(name)))(
  'a notice is not delivered if its receiver answers with %s',
  async (_, answer) => {
    server.answers(answer);
    await expect(posted()).rejects.toThrow(/^(a service outside failed: |the receiver answered)/);
    expect(server.paths).toStrictEqual(['/notices']);
    await server.isLeft();
  },
);

test.each(Object.entries(HOSTILE).filter(([name]) => !NOT_ACKNOWLEDGED.test(name)))(
  'the status alone acknowledges a notice, and its receiver is left, if it answers with %s',
  async (_, answer) => {
    server.answers(answer);
    await posted();
    expect(server.paths).toStrictEqual(['/notices']);
    await server.isLeft();
  },
);

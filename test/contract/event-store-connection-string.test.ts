import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BadConnectionString, parseConnectionString } from '#event-store/connection-string.js';
import { connectEventStore } from '#event-store/event-store-db.js';

const refusal = (url: string): string => {
  try {
    parseConnectionString(url);
  } catch (error) {
    if (error instanceof BadConnectionString) return error.message;
    throw error;
  }
  return 'accepted';
};

describe('The connection string of the event store', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'mace-connection-string-'));
  });
  afterAll(() => rm(folder, { recursive: true }));

  it('several hosts after esdb+discover are refused with the right spelling, because only the first one would be used', () => {
    expect(refusal('esdb+discover://a:2113,b:2113,c:2113?tls=false')).toBe(
      'esdb+discover:// takes one DNS name; the other hosts would never be asked. Write several hosts as esdb://a:2113,b:2113,c:2113.',
    );
    expect(refusal('kurrentdb+discover://a,b')).toContain(
      'Write several hosts as kurrentdb://a:2113,b:2113.',
    );
    expect(parseConnectionString('esdb+discover://cluster.dns:2113').hosts).toStrictEqual([
      { host: 'cluster.dns', port: 2113 },
    ]);
  });

  it('kurrentdb:// and kurrentdb+discover:// mean the same as esdb:// and esdb+discover://', async () => {
    const [esdb, kurrentdb] = ['esdb', 'kurrentdb'].map((scheme) =>
      parseConnectionString(`${scheme}://a,b:2114?keepAliveInterval=-1&tls=false`),
    );
    expect(kurrentdb).toStrictEqual(esdb);
    expect(esdb).toMatchObject({
      official: 'esdb://a:2113,b:2114?keepAliveInterval=-1&tls=false&gossipTimeout=1',
      isCluster: true,
      hosts: [
        { host: 'a', port: 2113 },
        { host: 'b', port: 2114 },
      ],
    });
    await connectEventStore('kurrentdb+discover://127.0.0.1:1?tls=false')
      .close()
      .catch(() => undefined);
  });

  for (const name of ['keepAliveInterval', 'KEEP_ALIVE_INTERVAL', 'keep-alive-interval'])
    it(`${name}=2000 is used, and the official client prints no warning about it`, async () => {
      const warn = jest.spyOn(console, 'warn').mockImplementation(() => undefined);
      const url = `esdb://127.0.0.1:1?tls=false&${name}=2000`;
      expect(parseConnectionString(url).keepAliveInterval).toBe(2000);
      await connectEventStore(url).close();
      expect(warn).not.toHaveBeenCalled();
      warn.mockRestore();
    });

  const refused: readonly (readonly [string, RegExp])[] = [
    [
      'http://a',
      /must begin with esdb:\/\/, esdb\+discover:\/\/, kurrentdb:\/\/ or kurrentdb\+discover:\/\//,
    ],
    ['esdb://', /names no host/],
    ['esdb://a,,b', /names no host between two commas/],
    ['esdb://a:70000', /port of a .* 1 to 65535; it is "70000"/],
    ['esdb://a:b:c', /port of a/],
    ['esdb://a?colour=blue', /unknown option "colour"/],
    ['esdb://a?tls', /the option "tls" has no value/],
    ['esdb://a?tls=no', /tls must be true or false/],
    ['esdb://a?tls=true&TLS=false', /tls is set twice/],
    ['esdb://u:p@a?tls=false', /sends no password without TLS/],
    ['esdb://a?tls=false&tlsCAFile=x', /tlsCAFile .* tls=false/],
    ['esdb://a?tls=false&userCertFile=x&userKeyFile=y', /userCertFile .* tls=false/],
    ['esdb://a?userCertFile=x', /userCertFile and userKeyFile belong together/],
    ['esdb://a?tlsCAFile=/nonexistent/ca.crt', /file of tlsCAFile cannot be read \(ENOENT\)/],
    ['esdb://a?tlsVerifyCert=false', /tlsVerifyCert=false .* tlsCAFile/],
    ['esdb://a?nodePreference=follower', /nodePreference must be leader/],
    ['esdb://a?gossipTimeout=soon', /gossipTimeout must be a whole number/],
    ['esdb://a?keepAliveInterval=-2', /keepAliveInterval must be a whole number from -1/],
    ['esdb://u@a', /"user:password@"/],
    ['esdb://u:%E0%A4%A@a', /user and password/],
  ];
  it.each(refused)('%s is refused with its reason', (url, reason) => {
    expect(refusal(url)).toMatch(reason);
  });

  it('no refusal repeats the password', () => {
    for (const wrong of ['?colour=blue', ':x', '?tls=false', '?tls=no', ',,b']) {
      const text = refusal(`esdb://admin:hunter2@node-1${wrong}`);
      expect(text).not.toBe('accepted');
      expect(text).not.toContain('hunter2');
    }
    expect(refusal('esdb:/admin:hunter2@node-1')).not.toContain('hunter2');
  });

  it('a password may hold any character if it is URL-encoded, and the files of TLS are read at once', async () => {
    const ca = join(folder, 'ca file.crt');
    await writeFile(ca, 'a certificate');
    const { tls, official } = parseConnectionString(
      `esdb://ada:a%40b%3Ac@node-1/?tlsCAFile=${encodeURIComponent(ca)}`,
    );
    expect(String(tls?.ca)).toBe('a certificate');
    expect(official).toBe(`esdb://ada:a%40b%3Ac@node-1:2113?tlsCAFile=${encodeURIComponent(ca)}`);
  });
});

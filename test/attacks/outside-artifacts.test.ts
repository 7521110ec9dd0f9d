import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { RequestListener } from 'node:http';
import { ArtifactsUnavailable, artifactUrl } from '#artifacts/artifact-store.js';
import { S3Artifacts } from '#artifacts/s3-artifacts.js';
import { HOSTILE, HostileServer, pour } from '#test/support/hostile-server.js';

const VARIABLES = {
  AWS_ACCESS_KEY_ID: 'test-id',
  AWS_SECRET_ACCESS_KEY: 'of-this-test-only',
  AWS_REGION: 'eu-central-1',
};
const TEXT = 'An artifact.';
const XML = { 'content-type': 'application/xml' };

let server: HostileServer;
let artifacts: S3Artifacts;

beforeAll(async () => {
  server = await HostileServer.start();
  Object.assign(process.env, VARIABLES, { AWS_ENDPOINT_URL_S3: server.url });
  artifacts = new S3Artifacts({ bucket: 'logs', prefix: '' }, 500);
});
afterAll(async () => {
  for (const name of [...Object.keys(VARIABLES), 'AWS_ENDPOINT_URL_S3']) delete process.env[name];
  await server.stop();
});

/** Answers with an error, which the client of S3 reads as XML. */
const failing =
  (body: string): RequestListener =>
  (_, response) =>
    response.writeHead(400, XML).end(body);

const entities = `<!DOCTYPE e [<!ENTITY a "aaaaaaaaaa">${Array.from(
  { length: 9 },
  (_, n) => `<!ENTITY ${'abcdefghij'[n + 1]} "${`&${'abcdefghij'[n]};`.repeat(10)}">`,
).join('')}]><Error><Code>&j;</Code></Error>`;

/** Statuses of 2xx acknowledge a put, whatever follows them; the object is read back under its hash. */
const ERRORS: readonly (readonly [string, RequestListener])[] = [
  ['an error of very deep XML', failing('<a>'.repeat(200_000))],
  ['an error of XML that is very large when expanded', failing(entities)],
  ['an error of no XML', failing('{"code": "NoSuchKey"}')],
  [
    'an error without end',
    (_, response) => {
      response.writeHead(500, XML);
      pour(response, '<a>');
    },
  ],
];

const NOT_READ = expect.any(ArtifactsUnavailable);

test.each<readonly [string, RequestListener]>([
  ...Object.entries(HOSTILE).filter(([name]) => !/UTF-8|JSON|page/.test(name)),
  ...ERRORS,
])('a read fails as unavailable if the store of artifacts answers with %s', async (_, answer) => {
  server.answers(answer);
  await expect(artifacts.get(artifactUrl(TEXT))).rejects.toStrictEqual(NOT_READ);
  expect(new Set(server.paths).size).toBe(1);
  await server.isLeft();
});

test.each<readonly [string, RequestListener]>([
  ...Object.entries(HOSTILE).filter(([name]) =>
    /drip|interim|huge headers|reset|HTTP|nothing|redirect/.test(name),
  ),
  ...ERRORS,
])('a put fails as unavailable if the store of artifacts answers with %s', async (_, answer) => {
  server.answers(answer);
  await expect(artifacts.put(TEXT)).rejects.toStrictEqual(NOT_READ);
  expect(new Set(server.paths).size).toBe(1);
  await server.isLeft();
});

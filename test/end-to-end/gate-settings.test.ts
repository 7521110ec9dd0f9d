import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { PrivacyGate } from '#apps/api/privacy/privacy-gate.js';
import { SubjectKeys } from '#subject-keys/subject-keys.js';
import { Caller } from '#test/support/caller.js';
import { named } from '#test/support/named.js';
import { TestService } from '#test/support/service.js';

const EMAIL = 'no.switch@quillmail.test';
const CONFIG_FOLDER = fileURLToPath(new URL('../../libs/platform/config/', import.meta.url));

const key = (): string => randomBytes(32).toString('base64');

/** Each setting with a value that is not its default. */
const SETTINGS: Readonly<Record<string, string>> = {
  HOST: '127.0.0.1',
  MACE_SIGNING_KEY: key(),
  MACE_SIGNING_KEYS_OLD: key(),
  MACE_SEALING_KEY: key(),
  MACE_SEALING_KEYS_OLD: key(),
  MACE_LOG_LEVEL: 'silent',
  MACE_COUNCIL_QUORUM: '3',
  MACE_RETENTION_DAYS: '0',
  MACE_REQUEST_EXPIRY_HOURS: '1',
  MACE_RATE_LIMIT_PER_MINUTE: '100000',
  MACE_REQUEST_TIMEOUT_MS: '600000',
  MACE_MAX_CONNECTIONS: '1000',
  MACE_VERIFY_LOGS_MINUTES: '0',
  MACE_VERIFY_EVENT_LOG_MINUTES: '0',
  MACE_COMPARE_ROWS_HOURS: '0',
  MACE_CHECKPOINT_EVERY: '7d',
  MACE_CHECKPOINT_LOCK_DAYS: '1',
  MACE_CHECKPOINT_PLACE: 's3://no-such-bucket/checkpoints',
  MACE_EVENTSTORE_TIMEOUT_MS: '60000',
  MACE_EVENTSTORE_QUOTA_BYTES: '1000000000',
  MACE_ARTIFACTS_URL: 's3://nowhere',
  MACE_REDIS_URL: 'redis://127.0.0.1:1',
  MACE_REVIEW_WEBHOOK_URL: 'http://127.0.0.1:1',
  MACE_REVIEW_WEBHOOK_SECRET: key(),
  MACE_PRIVACY_REGIONS: 'TV',
  MACE_SEARCH_LANGUAGE: 'german',
  MACE_MCP_HOSTS: 'memory.test',
};

/** The settings that the test service gives itself, and those that only name servers, tokens and bundle keys. */
const GIVEN = [
  ...['PORT', 'MACE_DATA_DIR', 'MACE_EVENTSTORE_URL', 'MACE_POSTGRES_URL', 'MACE_PROJECTIONS'],
  ...['MACE_JWT_SECRET', 'MACE_JWKS_URL', 'MACE_BUNDLE_KEY', 'MACE_BUNDLE_KEYS_OLD'],
  ...['MACE_JWT_ISSUER', 'MACE_JWT_AUDIENCE', 'MACE_LLM_PROVIDERS', 'MACE_LLM_COUNCIL'],
  ...['MACE_OIDC_ISSUER', 'MACE_OIDC_CLIENT_ID', 'MACE_OIDC_SCOPE'],
];

/** The regions add national forms to the rules, and an outside recogniser adds findings: neither takes any away. */
const ADDS_FINDINGS = ['MACE_PRIVACY_RECOGNISER_URL'];

function settingsOfTheProduct(): string[] {
  const files = readdirSync(CONFIG_FOLDER).map((name) =>
    readFileSync(join(CONFIG_FOLDER, name), 'utf8'),
  );
  const names = files.flatMap((text) => [...text.matchAll(/'(MACE_[A-Z_]+|PORT|HOST)'/g)]);
  return [...new Set(names.map(([, name]) => name as string))].sort();
}

describe('The privacy gate (SPEC P2, P3)', () => {
  let service: TestService;

  beforeAll(async () => {
    service = await TestService.start({ ownLog: true, environment: SETTINGS });
  });
  afterAll(async () => {
    await service?.stop();
  });

  it('has no switch among the settings, and this test knows all of them', () => {
    const settings = settingsOfTheProduct();
    expect(settings).toStrictEqual([...Object.keys(SETTINGS), ...GIVEN, ...ADDS_FINDINGS].sort());
    const aboutTheGate = settings.filter((name) =>
      /PRIVACY|GATE|PII|REDACT|DETECT|SCAN|CONSENT|CLEAR|PERSONAL/.test(name),
    );
    expect(aboutTheGate).toStrictEqual(['MACE_PRIVACY_RECOGNISER_URL', 'MACE_PRIVACY_REGIONS']);
  });

  it('is made of the keyed hash, the keys, the rules and the outside recogniser, not of the configuration', () => {
    const parameters: unknown = Reflect.getMetadata('design:paramtypes', PrivacyGate);
    expect(parameters).toHaveLength(4);
    expect((parameters as unknown[])[1]).toBe(SubjectKeys);
    const tokens = Reflect.getMetadata('self:paramtypes', PrivacyGate) as { param: symbol }[];
    const names = tokens.map(({ param }) => param.description).sort();
    expect(names).toStrictEqual(['KEYED_HASH', 'OUTSIDE_RECOGNISER', 'PRIVACY_RULES']);
  });

  it('blocks, seals and redacts with every setting changed', async () => {
    const user_id = named('no-switch').toLowerCase();
    const user = await Caller.of(service, 'user', { sub: user_id });
    const agent = await Caller.of(service, 'agent', { user_id });
    const auditor = await Caller.of(service, 'auditor');
    const about = { scope: 'user', entity_type: 'profile', attribute: 'contact', user_id };
    const fact = (await user.post<{ key: string }>('sem-keys', about)).key;
    await user.refused('PRIVACY_BLOCKED', 'PUT', `sem/${fact}`, { body: { value: EMAIL } });
    const job_seed = named('no-switch-job');
    await agent.post('jobs', { job_seed, goal: `Write to ${EMAIL}` });
    await agent.post(`jobs/${job_seed}/wm`, { type: 'fact', value: EMAIL });
    expect(await auditor.get(`jobs/${job_seed}`)).toMatchObject({
      cwm: { topic: 'Write to [REDACTED:email]' },
      wm: [{ value: { redacted: true, type: 'email' } }],
    });
  });
});

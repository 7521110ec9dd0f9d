import { describe, expect, it } from '@jest/globals';
import { BadConfig } from '#platform/config/bad-config.js';
import { readLanguageModels } from '#platform/config/language-models.js';

const KEY = 'sk-live-4Tz9Qp2Wm8';
const LOCAL = { name: 'local', base_url: 'http://127.0.0.1:11434/v1/', model: 'llama3.2:3b' };
const REMOTE = {
  name: 'remote',
  base_url: 'https://models.example/v1',
  model: 'big-1',
  api_key_env: 'REMOTE_KEY',
  timeout_ms: 4000,
};

const read = (providers: unknown, more: Record<string, string> = {}) =>
  readLanguageModels({ MACE_LLM_PROVIDERS: JSON.stringify(providers), ...more });

function stops(read_: () => unknown, sentence: RegExp): void {
  expect(read_).toThrow(BadConfig);
  expect(read_).toThrow(sentence);
  expect(read_).not.toThrow(KEY);
}

describe('MACE_LLM_PROVIDERS', () => {
  it('MACE_LLM_PROVIDERS may be unset, which configures no model', () => {
    expect(readLanguageModels({})).toStrictEqual({ providers: [], council: [] });
    expect(readLanguageModels({ MACE_LLM_PROVIDERS: '' }).providers).toStrictEqual([]);
  });

  it('MACE_LLM_PROVIDERS lists endpoints in the order in which they are asked, with their keys from the environment', () => {
    const { providers } = read([LOCAL, REMOTE, { ...LOCAL, name: 'inline', api_key: KEY }], {
      REMOTE_KEY: `${KEY}-remote`,
    });
    expect(providers).toStrictEqual([
      { ...LOCAL, base_url: 'http://127.0.0.1:11434/v1', key: 'none', timeout_ms: 1500 },
      {
        name: 'remote',
        base_url: 'https://models.example/v1',
        model: 'big-1',
        key: { secret: `${KEY}-remote` },
        timeout_ms: 4000,
      },
      {
        ...LOCAL,
        name: 'inline',
        base_url: 'http://127.0.0.1:11434/v1',
        key: { secret: KEY },
        timeout_ms: 1500,
      },
    ]);
  });

  it('a missing API key does not stop the start; requests to that provider fail', () => {
    expect(read([REMOTE]).providers[0]?.key).toBe('missing');
    expect(read([REMOTE], { REMOTE_KEY: '' }).providers[0]?.key).toBe('missing');
  });

  it('an invalid MACE_LLM_PROVIDERS stops the start with a message that names the invalid field and shows no key', () => {
    const secret = { ...LOCAL, api_key: KEY };
    const text = (MACE_LLM_PROVIDERS: string) => () => readLanguageModels({ MACE_LLM_PROVIDERS });
    stops(text(`[{"api_key":"${KEY}"`), /^MACE_LLM_PROVIDERS must be a JSON list; it is no JSON/);
    stops(text(`"${KEY}"`), /^MACE_LLM_PROVIDERS must be a JSON list/);
    stops(() => read([secret, KEY]), /^MACE_LLM_PROVIDERS\[1\] must be an object/);
    stops(
      () => read([{ ...secret, [KEY]: 1 }]),
      /^MACE_LLM_PROVIDERS\[0\] may hold name, base_url/,
    );
    stops(() => read([{ ...secret, name: KEY }]), /^MACE_LLM_PROVIDERS\[0\]\.name must be a name/);
    stops(() => read([{ ...secret, name: undefined }]), /\[0\]\.name must be/);
    for (const base_url of [
      KEY,
      `https://u:${KEY}@host/v1`,
      `https://host/v1?key=${KEY}`,
      'https://',
      7,
    ])
      stops(() => read([{ ...secret, base_url }]), /\[0\]\.base_url must be a URL/);
    stops(() => read([{ ...secret, model: '' }]), /\[0\]\.model must be the name of a model/);
    for (const timeout_ms of [0, 1.5, '3000', 120_001, null])
      stops(
        () => read([{ ...secret, timeout_ms }]),
        /\[0\]\.timeout_ms must be a whole number from 1/,
      );
    for (const api_key of ['', `${KEY}\n`, 'ключ', 7])
      stops(() => read([{ ...secret, api_key }]), /\[0\]\.api_key must be printable/);
    stops(() => read([{ ...secret, api_key_env: 'A' }]), /\[0\] must have api_key or api_key_env/);
    stops(() => read([{ ...LOCAL, api_key_env: 'A B' }]), /\[0\]\.api_key_env must be the name/);
    stops(() => read([REMOTE], { REMOTE_KEY: `${KEY} x` }), /^REMOTE_KEY must be printable/);
    stops(() => read([secret, secret]), /two entries with name local/);
    stops(() => read(Array.from({ length: 17 }, () => LOCAL)), /at most 16 objects/);
  });
});

describe('MACE_LLM_COUNCIL', () => {
  const council = (seats: unknown) => () =>
    read([LOCAL], { MACE_LLM_COUNCIL: JSON.stringify(seats) }).council;

  it('MACE_LLM_COUNCIL defines members that each ask one provider', () => {
    const [seat] = council([{ id: 'reviewer-1', provider: 'local' }])();
    expect(seat?.id).toBe('reviewer-1');
    expect(seat?.provider.model).toBe(LOCAL.model);
  });

  it('MACE_LLM_COUNCIL stops the start if an id is used twice or by a built-in member, or if a provider is unknown', () => {
    const seat = { id: 'reviewer-1', provider: 'local' };
    stops(council([seat, seat]), /^MACE_LLM_COUNCIL holds two entries with id reviewer-1/);
    stops(
      council([{ ...seat, id: 'safety_check' }]),
      /\[0\]\.id safety_check is the id of a built-in council member/,
    );
    stops(council([{ ...seat, id: 'No Name' }]), /\[0\]\.id must be a name/);
    stops(council([{ ...seat, provider: 'other' }]), /\[0\]\.provider must be the name of one/);
    stops(council([{ ...seat, weight: 2 }]), /\[0\] may hold id, provider/);
    stops(council({}), /^MACE_LLM_COUNCIL must be a JSON list/);
  });
});

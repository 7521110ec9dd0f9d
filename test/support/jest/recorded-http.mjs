import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';

/** Answers that end only when their reader goes. */
const ENDLESS = /^text\/event-stream/;
/** A longer body is recorded as its hash. */
const MAX_TEXT = 20_000;

/**
 * Records each request that a test file sends to this machine, and its answer, as lines of JSON in the folder
 * MACE_RECORD_HTTP. `scripts/compare-http.mjs` compares two such folders.
 */
export class RecordedHttp {
  #lines = [];
  #pending = [];

  constructor(global, testName) {
    const send = global.fetch;
    global.fetch = async (input, init) => {
      const test = testName();
      const response = await send(input, init);
      const url = new URL(typeof input === 'object' && 'url' in input ? input.url : String(input));
      const type = response.headers.get('content-type') ?? '';
      if (url.hostname === '127.0.0.1' && !ENDLESS.test(type)) {
        const line = {
          test,
          request: `${init?.method ?? 'GET'} ${url.pathname}${url.search}`,
          sent: written(init?.body),
          status: response.status,
          type,
        };
        const read = response
          .clone()
          .text()
          .then(
            (text) => this.#lines.push({ ...line, answer: written(text) }),
            // The test stopped reading.
            () => undefined,
          );
        this.#pending.push(read);
      }
      return response;
    };
  }

  async write(folder, file) {
    await Promise.race([
      Promise.all(this.#pending),
      new Promise((resolve) => setTimeout(resolve, 2000)),
    ]);
    if (this.#lines.length === 0) return;
    mkdirSync(folder, { recursive: true });
    const name = `${relative('.', file).replaceAll('/', '__')}.ndjson`;
    writeFileSync(
      join(folder, name),
      this.#lines.map((line) => `${JSON.stringify(line)}\n`).join(''),
    );
  }
}

function written(body) {
  if (body === undefined || body === null) return null;
  if (typeof body === 'object' && !ArrayBuffer.isView(body)) return '<stream>';
  const text =
    typeof body === 'string'
      ? body
      : Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString();
  return text.length <= MAX_TEXT
    ? text
    : `<${text.length} characters, ${createHash('sha256').update(text).digest('hex')}>`;
}

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Module } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { chmodSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { type IncomingMessage, request } from 'node:http';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { CheckpointKeeper } from '#apps/api/checkpoints/checkpoint-keeper.js';
import { CheckpointSchedule } from '#apps/api/checkpoints/checkpoint-schedule.js';
import { readCheckpoint } from '#checkpoints/checkpoint-file.js';
import { FileBytes } from '#files/file-bytes.js';
import { type LogCheckpoint, MaceClient } from '#client/index.js';
import { Caller } from '#test/support/caller.js';
import { ensure } from '#test/support/ensure.js';
import { named } from '#test/support/named.js';
import { TestService } from '#test/support/service.js';
import { temporaryFolder } from '#test/support/temporary-folder.js';

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

const references: ModuleRef[] = [];
const referenceOf = new Map<TestService, ModuleRef>();

@Module({})
class Parts {
  constructor(reference: ModuleRef) {
    references.push(reference);
  }
}

/** Starts a service whose parts the test can reach. */
async function start(options: Parameters<typeof TestService.start>[0]): Promise<TestService> {
  const service = await TestService.start({ ...options, more: [Parts] });
  referenceOf.set(service, references.pop()!);
  return service;
}

const parts = (service: TestService) => ({
  get: <Part>(part: new (...given: never[]) => Part): Part =>
    referenceOf.get(service)!.get(part as never, { strict: false }),
});

describe('I6 Checkpoints that the service makes', () => {
  const folder = temporaryFolder('log-checkpoints');
  const outside = join(folder.path, 'outside');
  const broken = join(folder.path, 'broken');
  let service: TestService;
  let auditor: MaceClient;

  const write = async (value: string): Promise<void> => {
    const admin = await Caller.of(service, 'admin');
    await admin.did('PUT', `sem/world/fact/${named('sky')}/value`, { body: { value } });
  };
  const fileOf = async ({ checkpoint_id }: { readonly checkpoint_id: string }): Promise<string> => {
    let text = '';
    for await (const line of auditor.integrity.checkpointFile(checkpoint_id)) text += `${line}\n`;
    return text;
  };
  const newest = async (): Promise<LogCheckpoint> => {
    const [checkpoint] = (await auditor.integrity.checkpoints({ limit: 1 })).checkpoints;
    ensure(checkpoint);
    return checkpoint;
  };

  beforeAll(async () => {
    // A file stands where the second place should be a folder.
    writeFileSync(broken, '');
    service = await start({
      ownLog: true,
      environment: {
        MACE_DATA_DIR: join(folder.path, 'data'),
        MACE_CHECKPOINT_PLACE: `${pathToFileURL(outside).href},${pathToFileURL(broken).href}`,
        MACE_CHECKPOINT_EVERY: '7d',
      },
    });
    auditor = new MaceClient({ baseUrl: service.url, token: await service.token('auditor') });
    await write('cerulean');
  });
  afterAll(async () => {
    await service?.stop();
    folder.remove();
  });

  it('are signed files of the log, kept at each place and recorded with their hash', async () => {
    const run = await auditor.integrity.checkpoint();
    expect(run).toMatchObject({ found: 0, finished_at: expect.any(String) });
    const checkpoint = await newest();
    expect(checkpoint).toMatchObject({
      ...{ checkpoint_id: run.checkpoint_id, sha256: run.sha256, made_by: named('auditor') },
      places: [
        { place: pathToFileURL(outside).href, kept_at: expect.any(String), problem: null },
        { place: pathToFileURL(broken).href, kept_at: null, problem: 'refused' },
      ],
    });
    const text = await fileOf(checkpoint);
    expect([sha256(text), Buffer.byteLength(text)]).toStrictEqual([
      checkpoint.sha256,
      checkpoint.bytes,
    ]);
    const [name = ''] = readdirSync(outside);
    expect(readFileSync(join(outside, name), 'utf8')).toBe(text);
    const bytes = new FileBytes(
      'it',
      (async function* () {
        yield Buffer.from(text);
      })(),
    );
    expect(await readCheckpoint(bytes)).toMatchObject({
      checkpoint: { position: checkpoint.position, streams: checkpoint.streams },
    });
    const { schedule, running } = await auditor.integrity.checkpoints();
    expect([schedule.every_minutes, running]).toStrictEqual([7 * 1_440, null]);
  });

  it('are made once for an Idempotency-Key', async () => {
    const options = { idempotencyKey: named('once') };
    const first = await auditor.integrity.checkpoint(options);
    expect(await auditor.integrity.checkpoint(options)).toStrictEqual(first);
  });

  it('are made anew only if the log has grown since the newest one, also for callers with a key of their own', async () => {
    const checkpoint = await newest();
    const { checkpoints: before } = await auditor.integrity.checkpoints();
    for (const options of [{}, { idempotencyKey: named('same') }, {}])
      expect(await auditor.integrity.checkpoint(options)).toMatchObject({
        ...{ checkpoint_id: checkpoint.checkpoint_id, sha256: checkpoint.sha256 },
      });
    expect((await auditor.integrity.checkpoints()).checkpoints).toStrictEqual(before);
    await write('teal');
    const again = await auditor.integrity.checkpoint({ idempotencyKey: named('same') });
    expect(again.checkpoint_id).toBe(checkpoint.checkpoint_id);
    const { checkpoint_id } = await auditor.integrity.checkpoint();
    expect(checkpoint_id).not.toBe(checkpoint.checkpoint_id);
  });

  it('are compared with the log, which may have grown', async () => {
    const checkpoint = await newest();
    await write('azure');
    const kept = await auditor.integrity.compare(checkpoint.checkpoint_id);
    expect(kept).toMatchObject({
      checkpoint: { checkpoint_id: checkpoint.checkpoint_id, is_of_this_service: true },
      ...{ found: 0, findings: [], finished_at: expect.any(String) },
    });
    const sent = await auditor.integrity.compareFile(await fileOf(checkpoint));
    expect(sent).toMatchObject({ checkpoint: { checkpoint_id: null }, found: 0 });
    const { last, running } = await auditor.integrity.comparisons();
    expect([last, running]).toStrictEqual([sent, null]);
  });

  it('are compared while another caller still sends a file, and each caller sends one file at a time', async () => {
    const text = await fileOf(await newest());
    const slow = await Caller.of(service, 'auditor', { sub: named('slow') });
    const headers = {
      ...{ authorization: `Bearer ${slow.token}`, 'content-type': 'application/x-ndjson' },
      'content-length': text.length,
    };
    const begun = [0, 1].map(() => {
      const sending = request(`${service.url}/v1/integrity/comparisons`, {
        method: 'POST',
        headers,
      });
      const answer = once(sending, 'response').then(([response]) => {
        (response as IncomingMessage).resume();
        return { sending, status: (response as IncomingMessage).statusCode };
      });
      answer.catch(() => undefined);
      sending.write(text.slice(0, 10));
      return { sending, answer };
    });
    try {
      const refused = await Promise.race(begun.map(({ answer }) => answer));
      expect(refused.status).toBe(429);
      expect(await auditor.integrity.compareFile(text)).toMatchObject({ found: 0 });
      const [open] = begun.filter(({ sending }) => sending !== refused.sending);
      ensure(open);
      open.sending.end(text.slice(10));
      expect(await open.answer).toMatchObject({ status: 200 });
    } finally {
      for (const { sending } of begun) sending.destroy();
    }
  });

  it('name the streams that the log does not have as it had them', async () => {
    const other = await TestService.start({ ownLog: true });
    try {
      const elsewhere = new MaceClient({ baseUrl: other.url, token: await other.token('auditor') });
      const { found, findings } = await elsewhere.integrity.compareFile(
        await fileOf(await newest()),
      );
      expect(found).toBe(findings.length);
      expect(findings).toContainEqual({
        ...{ stream: `sem-world/fact/${named('sky')}/value`, number: 0 },
        problem: 'stream_missing',
      });
    } finally {
      await other.stop();
    }
  });

  it('are refused as files if a byte of them was changed', async () => {
    const text = await fileOf(await newest());
    const caller = await Caller.of(service, 'auditor');
    const send = (body: string, type = 'application/x-ndjson') =>
      service.call('POST', '/v1/integrity/comparisons', {
        ...{ token: caller.token, body, headers: { 'content-type': type } },
      });
    for (const body of [text.replace('"number":0', '"number":1'), text.slice(0, -1), '{}', ''])
      expect(await send(body)).toMatchObject({
        ...{ status: 400, body: { error_code: 'INVALID_INPUT' } },
      });
    expect(await send('{}', 'application/json')).toMatchObject({ status: 400 });
    const elsewhere = await service.call('POST', '/v1/integrity/verification', {
      ...{ token: caller.token, body: text, headers: { 'content-type': 'application/x-ndjson' } },
    });
    expect(elsewhere.status).toBe(400);
  });

  it('stay as they were made: another file of the name is not overwritten, and a changed one is not given', async () => {
    const checkpoint = await newest();
    const own = join(folder.path, 'data', 'checkpoints');
    const name = readdirSync(own).find((file) => file.includes(checkpoint.checkpoint_id));
    ensure(name);
    for (const place of [own, outside]) {
      chmodSync(join(place, name), 0o600);
      writeFileSync(join(place, name), 'other');
    }
    const caller = await Caller.of(service, 'auditor');
    await caller.refused(
      'READ_UNAVAILABLE',
      'GET',
      `integrity/checkpoints/${checkpoint.checkpoint_id}`,
    );
    await caller.refused('NOT_FOUND', 'GET', 'integrity/checkpoints/none');
  });

  it('are kept by a place that failed as soon as it takes them', async () => {
    const { checkpoint_id } = await auditor.integrity.checkpoint();
    rmSync(broken);
    // The keeper reads the row, which the list waits for.
    await newest();
    await parts(service).get(CheckpointKeeper).round();
    const kept = await newest();
    expect([kept.checkpoint_id, kept.places.map(({ problem }) => problem)]).toStrictEqual([
      checkpoint_id,
      [null, null],
    ]);
    expect(readdirSync(broken).join()).toContain(checkpoint_id);
  });

  it('are made on a schedule by one of the instances, and only if the log has grown', async () => {
    const { eventStore, postgres } = service;
    const second = await start({ servers: { eventStore, postgres } });
    try {
      const made = async () => {
        const { checkpoints } = await auditor.integrity.checkpoints();
        return checkpoints.filter(({ made_by }) => made_by === 'system').length;
      };
      const round = () =>
        Promise.all(
          [service, second].map((one) => parts(one).get(CheckpointSchedule).makeIfDue(0)),
        );
      await round();
      expect(await made()).toBe(0);
      await write('navy');
      expect((await round()).filter((run) => run !== undefined)).toHaveLength(1);
      expect(await made()).toBe(1);
      await round();
      expect(await made()).toBe(1);
    } finally {
      await second.stop();
    }
  });
});

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { MaceClient } from '#client/mace-client.js';
import type { LogAccount } from '#client/reflective-logs.js';
import { aLog, queryAsSuperuser } from '../support/reflective-logs.js';
import { TestService } from '../support/service.js';
import { TEST_KEYS } from '../support/test-keys.js';
import { mace } from '#test/support/cli-run.js';

describe('ReflectiveLogs in the SDK and the command line', () => {
  const env = { MACE_JWT_SECRET: TEST_KEYS.MACE_JWT_SECRET, PORT: '' };
  let service: TestService;
  let agent: MaceClient;
  let auditor: MaceClient;

  beforeAll(async () => {
    // The command verifies every ReflectiveLog.
    service = await TestService.start({ ownLog: true });
    env.PORT = new URL(service.url).port;
    const [asAgent, asAuditor] = await Promise.all([
      service.token('agent'),
      service.token('auditor'),
    ]);
    agent = new MaceClient({ baseUrl: service.url, token: asAgent });
    auditor = new MaceClient({ baseUrl: service.url, token: asAuditor });
  });
  afterAll(() => service?.stop());

  it('L7 the SDK sends a log with a job’s end, and reads the stored log', async () => {
    const { source, query_id, query_text_hash, qcp_summary, agents_invoked } = aLog();
    const { agent_outputs, council_votes, final_answer, final_confidence } = aLog();
    const reflectiveLog: LogAccount = {
      ...{ source, query_id, query_text_hash, qcp_summary, agents_invoked, agent_outputs },
      ...{ council_votes, final_answer, final_confidence, repair_loops: 1, cache_hit: true },
      ...{ runtime_metrics: {}, system_version: 'runtime-2.1' },
    };
    const { job_seed } = await agent.jobs.start({});
    const { reflective_log_id } = await agent.job(job_seed).end({ reflectiveLog });
    const log = await agent.reflectiveLogs.get(reflective_log_id);
    expect(log.system_version).toBe('runtime-2.1');
    expect(log.signature_valid).toBe(true);
    expect(log.origin).toBe('job');
  });

  it('L4 the SDK posts a log, adds to it, and lists it', async () => {
    const body = aLog();
    const { log_id } = await agent.reflectiveLogs.post(body);
    const amendment = await agent.reflectiveLogs.amend(log_id, {
      changes: { note: 'checked' },
      effect: 'note',
    });
    await agent.reflectiveLogs.label(log_id, 'Paris');
    await auditor.reflectiveLogs.tag(log_id, ['sampled']);
    await agent.reflectiveLogs.requestReview(log_id, 'Is it?');
    const read = await agent.reflectiveLogs.get(log_id);
    expect(read.amendments).toStrictEqual([amendment]);
    expect(read.ground_truth_labels[0]?.ground_truth_label).toBe('Paris');
    expect(read.audit_tags).toStrictEqual(['sampled']);
    expect(read.open_review?.reason).toBe('Is it?');
    const { reflective_logs } = await agent.reflectiveLogs.list({ query_id: body.query_id });
    expect(reflective_logs.map((log) => log.log_id)).toStrictEqual([log_id]);
  });

  it('L5 mace verify --reflective exits with 0 if the rows are intact, and with 1 if it has restored a tampered row', async () => {
    const fine = await mace(['verify', '--reflective'], env);
    expect([fine.stderr, fine.code]).toStrictEqual([fine.stderr, 0]);
    expect(fine.stdout).toMatch(/^2 logs checked, 2 logs intact\n$/);
    const { log_id } = await agent.reflectiveLogs.post(aLog());
    await agent.reflectiveLogs.get(log_id);
    const sql = `update reflective_logs.reflective_log_stage0 set repair_loops = 9 where log_id = $1`;
    await queryAsSuperuser(service.postgres, sql, [log_id]);
    const broken = await mace(['verify', '--reflective', '--json'], env);
    expect([broken.stderr, broken.code]).toStrictEqual([broken.stderr, 1]);
    const report = JSON.parse(broken.stdout) as { findings: { reason: string; healed: boolean }[] };
    expect(report.findings.map(({ reason, healed }) => [reason, healed])).toStrictEqual([
      ['repair_loops differ', true],
    ]);
    const { quarantine } = await auditor.reflectiveLogs.quarantine();
    expect(quarantine[0]?.fault).toBe('tampered');
    expect(quarantine[0]?.detail['found']).toStrictEqual({ repair_loops: 9 });
    const again = await mace(['verify', '--reflective'], env);
    expect([again.stdout, again.code]).toStrictEqual([again.stdout, 0]);
  });

  it('mace verify asks for a bundle or --reflective if it gets neither', async () => {
    const { code, stderr } = await mace(['verify'], env);
    expect(code).toBe(2);
    expect(stderr).toMatch(/--reflective/);
  });
});

import { Injectable } from '@nestjs/common';
import { SUMMARY_CODE_POINTS } from '#domain/episode/summaries.js';
import { cutToCodePoints } from '#domain/episode/tokens.js';
import type { JobCommand } from '#domain/job/commands.js';
import type { JobOwner } from '#domain/job/events.js';
import { contentOf, WM_VALUE } from '#domain/job/entry.js';
import { EVIDENCE, GOAL, PAYLOAD } from '#domain/job/limits.js';
import { redactedEpisode, redactedGoal } from '#domain/job/redacted-content.js';
import { Refusal } from '#domain/errors/refusal.js';
import type { Json } from '#domain/json.js';
import { subjectOfJob } from '#domain/privacy/subject.js';
import type { LogContent } from '#domain/reflective-log/content.js';
import { requireSize } from '#domain/size-limit.js';
import { inSlices } from '#bounded/slices.js';
import { Consents } from '../privacy/consents.js';
import { PrivacyGate } from '../privacy/privacy-gate.js';
import type { JobOperation } from './job-commands.js';

type OperationOf<Op extends JobOperation['op']> = Extract<JobOperation, { readonly op: Op }>;

/**
 * The domain's commands for a batch. `commands[i]` belongs to the operation with the index `indexes[i]`.
 */
export interface JobCommands {
  readonly commands: readonly JobCommand[];
  readonly indexes: readonly number[];
}

/** The job to which operations are sent. */
interface GatedJob {
  readonly seed: string;
  readonly owner: JobOwner;
  /** The ReflectiveLog that the runtime sent with the end, after the service has checked it (SPEC L7). */
  readonly account: LogContent | undefined;
}

/**
 * Turns operations into the domain's commands, with their personal data sealed (WM) or redacted (goals, episodes)
 * (SPEC P3).
 */
@Injectable()
export class JobGate {
  constructor(
    private readonly gate: PrivacyGate,
    private readonly consents: Consents,
  ) {}

  /**
   * Returns the domain's commands for a batch of operations, in order. Fails with `KeysUnavailable`.
   * @throws Refusal PRIVACY_BLOCKED for what cannot be scanned
   */
  async commands(operations: readonly JobOperation[], job: GatedJob): Promise<JobCommands> {
    const commands: JobCommand[] = [];
    const indexes: number[] = [];
    for (const [index, operation] of operations.entries())
      for (const command of await this.gated(
        operation,
        job,
        operations.length > 1 ? index : undefined,
      )) {
        commands.push(command);
        indexes.push(index);
      }
    return { commands, indexes };
  }

  /** Returns a goal without personal data, and what was removed from it. */
  async goal(text: string) {
    requireSize(text, GOAL);
    return this.gate.beyondRules(await inSlices(redactedGoal(text, this.gate.redactor())));
  }

  /** @param index the operation's index in its batch, which a refusal names; undefined without a batch */
  private async gated(
    operation: JobOperation,
    job: GatedJob,
    index: number | undefined,
  ): Promise<JobCommand[]> {
    try {
      return await this.commandsOf(operation, job);
    } catch (cause) {
      throw Refusal.ofCommand(cause, index);
    }
  }

  private async commandsOf(operation: JobOperation, job: GatedJob): Promise<JobCommand[]> {
    switch (operation.op) {
      case 'tick':
        // A tick with `count` N equals N single ticks (SPEC J3).
        return Array.from({ length: operation.count ?? 1 }, () => ({ op: 'tick' }));
      case 'wm_insert':
        return [await this.insert(operation, job)];
      case 'goal':
        return [{ op: 'goal', ...(await this.goal(operation.goal)) }];
      case 'episodic_write':
        return [await this.episode(operation, job)];
      case 'wm_reference':
      case 'wm_forget':
        return [{ op: operation.op, wm_id: operation.wm_id }];
      case 'cwm_reference':
      case 'cwm_forget':
        return [{ op: operation.op, item_id: operation.item_id }];
      case 'end':
        return [
          job.account === undefined ? { op: 'end' } : { op: 'end', reflective_log: job.account },
        ];
    }
  }

  private async insert(
    operation: OperationOf<'wm_insert'>,
    { seed, owner }: GatedJob,
  ): Promise<JobCommand> {
    const { op, ttl_ticks, value } = operation;
    const held = await this.gate.held(subjectOfJob(seed, owner), value, WM_VALUE);
    const content = contentOf({ ...operation, ...held });
    return { op, ...(ttl_ticks === undefined ? {} : { ttl_ticks }), ...content };
  }

  private async episode(
    { summary, payload = null, evidence = [], source = 'agent' }: OperationOf<'episodic_write'>,
    job: GatedJob,
  ): Promise<JobCommand> {
    requireSize(evidence, EVIDENCE);
    const kept = await this.keptPayload(payload, job);
    const words = { summary, payload: kept === undefined ? payload : null, evidence };
    const byRules = await inSlices(redactedEpisode(words, this.gate.redactor()));
    const clean = await this.gate.beyondRules(byRules);
    return {
      op: 'episodic_write',
      source,
      ...clean,
      // A redaction can make a text longer.
      summary:
        clean === byRules ? clean.summary : cutToCodePoints(clean.summary, SUMMARY_CODE_POINTS),
      ...kept,
    };
  }

  /**
   * Returns a payload that stays whole: in clear if it contains no personal data, sealed if the user has agreed that
   * the data is kept (SPEC P4). Undefined if the payload must be redacted.
   */
  private async keptPayload(payload: Json, { seed, owner }: GatedJob) {
    const found = await this.gate.inspect(payload, PAYLOAD, 'payload');
    if (found === undefined) return { payload };
    const need = { category: found.category, job_seed: seed };
    const consent = await this.consents.covering(owner.user_id, need);
    if (consent === undefined) return undefined;
    const sealed_payload = await this.gate.seal(subjectOfJob(seed, owner), payload, found);
    return { payload: null, sealed_payload, consent_id: consent.consent_id };
  }
}

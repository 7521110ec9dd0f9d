import { Injectable } from '@nestjs/common';
import type { JobCommand, WriteEpisode } from '#domain/job/commands.js';
import type { JobOwner } from '#domain/job/events.js';
import { redactedEpisode, redactedGoal } from '#domain/job/redacted-content.js';
import type { Json } from '#domain/json.js';
import { redactionsOf } from '#domain/privacy/redactions.js';
import { subjectOfJob } from '#domain/privacy/subject.js';
import type { LogRedaction } from '#domain/reflective-log/fields.js';
import type { LogContent } from '#domain/reflective-log/content.js';
import { Consents } from '../privacy/consents.js';
import { PrivacyGate } from '../privacy/privacy-gate.js';
import type { JobOperation } from './dto/job-operations.dto.js';

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

/** A payload after the gate. */
interface GatedPayload {
  readonly payload: Json;
  readonly kept?: Pick<WriteEpisode, 'sealed_payload' | 'consent_id'>;
  readonly redactions: readonly LogRedaction[];
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
      for (const command of await this.commandsOf(operation, job)) {
        commands.push(command);
        indexes.push(index);
      }
    return { commands, indexes };
  }

  /** Returns a goal without personal data, and what was removed from it. */
  goal(text: string) {
    return redactedGoal(text, this.gate.redactor());
  }

  private async commandsOf(operation: JobOperation, job: GatedJob): Promise<JobCommand[]> {
    switch (operation.op) {
      case 'tick':
        // A tick with `count` N equals N single ticks (SPEC J3).
        return Array.from({ length: operation.count ?? 1 }, () => ({ op: 'tick' }));
      case 'wm_insert':
        return [await this.insert(operation, job)];
      case 'goal':
        return [{ op: 'goal', ...this.goal(operation.goal) }];
      case 'episodic_write':
        return [await this.episode(operation, job)];
      case 'wm_reference':
      case 'cwm_reference':
        return [{ ...operation }];
      case 'end':
        return [
          job.account === undefined ? { op: 'end' } : { op: 'end', reflective_log: job.account },
        ];
    }
  }

  private async insert(
    { value, ...entry }: OperationOf<'wm_insert'>,
    { seed, owner }: GatedJob,
  ): Promise<JobCommand> {
    return { ...entry, ...(await this.gate.held(subjectOfJob(seed, owner), value)) };
  }

  private async episode(
    { summary, payload = null, evidence = [], source = 'agent' }: OperationOf<'episodic_write'>,
    job: GatedJob,
  ): Promise<JobCommand> {
    const gated = await this.payload(payload, job);
    const words = { summary, payload: gated.payload, evidence };
    const { redactions = [], ...episode } = redactedEpisode(words, this.gate.redactor());
    return {
      op: 'episodic_write',
      source,
      ...episode,
      ...gated.kept,
      ...redactionsOf([...redactions, ...gated.redactions]),
    };
  }

  /**
   * Returns the payload that may be stored: sealed, if the user has agreed that its personal data is kept (SPEC P4);
   * redacted as a whole, if an outside recogniser found something in it; otherwise as it is, for the redactor.
   */
  private async payload(payload: Json, { seed, owner }: GatedJob): Promise<GatedPayload> {
    const found = await this.gate.inspect(payload, 'payload');
    if (found === undefined) return { payload, redactions: [] };
    const need = { category: found.category, job_seed: seed };
    const consent = await this.consents.covering(owner.user_id, need);
    if (consent !== undefined) {
      const sealed_payload = await this.gate.seal(subjectOfJob(seed, owner), payload, found);
      const kept = { sealed_payload, consent_id: consent.consent_id };
      return { payload: null, kept, redactions: [] };
    }
    if (!found.byRecogniser) return { payload, redactions: [] };
    const { value, redaction } = this.gate.redactedWhole(payload, 'payload', found);
    return { payload: value, redactions: [redaction] };
  }
}

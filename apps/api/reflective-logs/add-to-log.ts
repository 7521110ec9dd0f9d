import { Inject, Injectable } from '@nestjs/common';
import { permit } from '#domain/errors/permit.js';
import { Refusal } from '#domain/errors/refusal.js';
import type { Json } from '#domain/json.js';
import { hasRole, personOf, type Role } from '#domain/ownership/access.js';
import type { Actor } from '#domain/recorded-event.js';
import type { ReflectiveLogCommand } from '#domain/reflective-log/decide.js';
import type { Author } from '#domain/reflective-log/events.js';
import { requireSize } from '#domain/size-limit.js';
import { reflectiveStream } from '#domain/stream-names.js';
import { Answer } from '../platform/http/answer.js';
import type { ReflectiveLogStore } from '../platform/stores.js';
import { inSlices } from '#bounded/slices.js';
import { REFLECTIVE_LOG_STORE } from '../platform/tokens.js';
import { PrivacyGate } from '../privacy/privacy-gate.js';
import { LogAccess } from './log-access.js';
import type { LogAddition } from './log-additions.js';

const MAX_BYTES = 64 * 1024;

/** All roles by precedence. An addition records the first of these roles that the caller has. */
const SPEAKS_AS: readonly Role[] = ['council', 'admin', 'auditor', 'user', 'agent'];

const authorOf = (actor: Actor): Author => ({
  ...personOf(actor),
  role: SPEAKS_AS.find((role) => hasRole(actor, role)) ?? 'agent',
});

/** Appends an addition to a log, without personal data. The log itself does not change (SPEC L4, P3). */
@Injectable()
export class AddToLogHandler {
  constructor(
    @Inject(REFLECTIVE_LOG_STORE) private readonly logs: ReflectiveLogStore,
    private readonly gate: PrivacyGate,
    private readonly access: LogAccess,
  ) {}

  async execute(addition: LogAddition): Promise<Answer<Json>> {
    const { actor, id, identity } = addition;
    await this.access.find(actor, id);
    const stream = reflectiveStream(id);
    const { results, position } = await this.logs.execute(
      stream,
      [await this.commandOf(addition, authorOf(actor), identity.received_at)],
      identity,
    );
    const [made = null] = results;
    if (made !== null) return Answer.written(made, position);
    // If a review is already open, the answer is the open review.
    return Answer.written((await this.logs.load(stream)).state.open_review, position);
  }

  private async commandOf(
    addition: LogAddition,
    author: Author,
    created_at: string,
  ): Promise<ReflectiveLogCommand> {
    const redactor = this.gate.redactor();
    const clean = async <Value extends Json>(value: Value, field: string): Promise<Value> => {
      requireSize(value, {
        bytes: MAX_BYTES,
        reason: () => `${field} has at most 64 KB canonical`,
      });
      return inSlices(redactor.slicedJson(value, field));
    };
    const { redactions } = redactor;
    const added = { created_at, author, redactions };
    switch (addition.type) {
      case 'amend': {
        const { type, effect } = addition;
        return { type, changes: await clean(addition.changes, 'changes'), effect, ...added };
      }
      case 'give_feedback': {
        const { type, rating = null, comment = null } = addition;
        if (rating === null && comment === null)
          throw invalid('rating, comment: give one of the two, or both');
        return { type, rating, comment: comment && (await clean(comment, 'comment')), ...added };
      }
      case 'label': {
        const label = await clean(addition.ground_truth_label, 'ground_truth_label');
        return { type: addition.type, ground_truth_label: label, ...added };
      }
      case 'tag': {
        const tags = await Promise.all(
          addition.audit_tags.map((tag, index) => clean(tag, `audit_tags.${index}`)),
        );
        return { type: addition.type, audit_tags: tags, ...added };
      }
      case 'request_review': {
        permit(author.role !== 'council' && author.role !== 'auditor', 'ask for a review', 'A3');
        return { type: addition.type, reason: await clean(addition.reason, 'reason'), ...added };
      }
    }
  }
}

const invalid = (reason: string): Refusal => new Refusal('INVALID_INPUT', { reason });

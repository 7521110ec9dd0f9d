import { Inject, Injectable } from '@nestjs/common';
import { permit } from '#domain/errors/permit.js';
import { Refusal } from '#domain/errors/refusal.js';
import type { Actor } from '#domain/recorded-event.js';
import type { LogWritten } from '#domain/reflective-log/events.js';
import { type ReflectiveLogState } from '#domain/reflective-log/state.js';
import { mayReadLog } from '#domain/reflective-log/view.js';
import { reflectiveStream } from '#domain/stream-names.js';
import type { Loaded } from '#event-store/aggregate-store.js';
import type { ReflectiveLogStore } from '../platform/stores.js';
import { REFLECTIVE_LOG_STORE } from '../platform/tokens.js';

/** A log that exists. */
export interface FoundLog {
  readonly loaded: Loaded<ReflectiveLogState>;
  readonly written: LogWritten;
}

/** Decides who may read a log: its owner, its user, the council, auditors and admins (SPEC I9). */
@Injectable()
export class LogAccess {
  constructor(@Inject(REFLECTIVE_LOG_STORE) private readonly logs: ReflectiveLogStore) {}

  /** Returns the log. @throws Refusal NOT_FOUND, PERMISSION_DENIED. */
  async find(actor: Actor, logId: string): Promise<FoundLog> {
    const loaded = await this.logs.load(reflectiveStream(logId));
    const { written } = loaded.state;
    if (written === null) throw new Refusal('NOT_FOUND', { what: 'reflective log', id: logId });
    permit(mayReadLog(actor, written.owner), `reach reflective log ${logId}`, 'I9');
    return { loaded, written };
  }
}

import { Inject, Injectable } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import type { Logger } from 'pino';
import { jsonBytes, LruMap } from '#bounded/lru-map.js';
import { auditStream } from '#domain/stream-names.js';
import { Metrics } from '../health/metrics.js';
import type { KeyedHash } from '../http/identity.js';
import type { AuditStore } from '../stores.js';
import { AUDIT_STORE, KEYED_HASH, LOGGER } from '../tokens.js';
import { subHash } from './failure-log.js';

export interface RefusedCommand {
  readonly code: string;
  /** The HTTP method and route pattern, without ids. */
  readonly route: string;
  readonly stream: string | null;
  readonly trace_id: string;
}

/** The maximum number of refusals that are recorded per caller and minute (SPEC I1). */
const RECORDED_PER_MINUTE = 60;
/** The longest time in ms that an answer waits for its audit event; the append continues afterwards. */
const MAX_WAIT_MS = 250;

/** Beyond it, the callers that were not refused for longest are counted anew. */
const MAX_WINDOW_BYTES = 16 * 1024 * 1024;

interface Window {
  minute: number;
  recorded: number;
  /** The number of refusals since the last recorded one. */
  uncounted: number;
}

/** Appends refused commands to `audit-<first 16 hex of sha256(sub)>` (SPEC I1, F3). Never fails. */
@Injectable()
export class RefusalAudit {
  private readonly windows = new LruMap<string, Window>({
    maxBytes: MAX_WINDOW_BYTES,
    bytesOf: jsonBytes,
  });

  constructor(
    @Inject(AUDIT_STORE) private readonly store: AuditStore,
    @Inject(KEYED_HASH) private readonly keyedHash: KeyedHash,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly metrics: Metrics,
  ) {}

  /** Resolves when the refusal is recorded, at the latest after `MAX_WAIT_MS`. */
  async record(sub: string, { code, route, stream, trace_id }: RefusedCommand): Promise<void> {
    const caller = subHash(sub);
    const uncounted_before = this.admit(caller);
    if (uncounted_before === undefined) return;
    const refused = { code, route, stream, uncounted_before };
    const identity = {
      command_id: randomUUID(),
      body_hash: this.keyedHash(refused),
      actor: sub,
      trace_id,
    };
    const appended = this.store
      .execute(auditStream(sub), [{ type: 'record_refusal', ...refused }], identity)
      .catch((error: unknown) => {
        this.logger.error({ type: 'audit_failed', trace_id, code, error: (error as Error).name });
      });
    await this.waitBriefly(appended);
  }

  /**
   * Returns the number of unrecorded refusals before this one; undefined if this one exceeds the limit and
   * must not be recorded.
   */
  private admit(caller: string): number | undefined {
    const minute = Math.floor(Date.now() / 60_000);
    const window = this.windowOf(caller, minute);
    if (window.recorded >= RECORDED_PER_MINUTE) {
      window.uncounted += 1;
      this.metrics.auditOverflow.inc();
      return undefined;
    }
    const { uncounted } = window;
    window.recorded += 1;
    window.uncounted = 0;
    return uncounted;
  }

  private windowOf(caller: string, minute: number): Window {
    let window = this.windows.get(caller);
    if (window === undefined) {
      window = { minute, recorded: 0, uncounted: 0 };
      this.windows.set(caller, window);
    }
    if (window.minute !== minute) {
      window.minute = minute;
      window.recorded = 0;
    }
    return window;
  }

  private async waitBriefly(appended: Promise<unknown>): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const timeout = new Promise((resolve) => {
      timer = setTimeout(resolve, MAX_WAIT_MS);
    });
    await Promise.race([appended, timeout]);
    clearTimeout(timer);
  }
}

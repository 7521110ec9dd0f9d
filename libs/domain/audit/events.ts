import type { EventSchema } from '../decider.js';

/** The event of `audit-<first 16 hex of sha256(sub)>`: a refused command (SPEC I1). */
export type AuditEvent = {
  readonly type: 'command_refused';
  readonly data: {
    readonly code: string;
    /** HTTP method and route pattern, without ids. */
    readonly route: string;
    /** The stream that would have been written, where one is known. */
    readonly stream: string | null;
    /** How many refusals before this one were counted but not recorded (over 60 a minute). */
    readonly uncounted_before: number;
  };
};

export const auditSchemas: Readonly<Record<AuditEvent['type'], EventSchema>> = {
  command_refused: { version: 1, kind: 'input' },
};

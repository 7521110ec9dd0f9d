import type { JobCommand, StartJob } from '#client/jobs.js';
import { fold } from '#domain/decider.js';
import { canonicalSize, canonicalJson } from '#domain/determinism/canonical-json.js';
import type { JobCommand as Decision } from '#domain/job/commands.js';
import { MAX_ENTRIES, resolveConstants } from '#domain/job/constants.js';
import { jobDecider } from '#domain/job/decider.js';
import type { JobEvent } from '#domain/job/events.js';
import { type JobState } from '#domain/job/state.js';
import { redactedEpisode, redactedGoal } from '#domain/job/redacted-content.js';
import type { Json } from '#domain/json.js';
import { subjectOfJob } from '#domain/privacy/subject.js';
import { finished } from '#domain/slices.js';
import type { Held } from '#domain/held.js';
import { holdsBytes } from '#domain/privacy/bytes.js';
import { keyId } from '#domain/privacy/key-id.js';
import { findingTypes, privacyBlocked } from '#domain/privacy/require-clear.js';
import { Redactor } from '#domain/privacy/redactor.js';
import type { RuleSet } from '#domain/privacy/rule-set.js';
import { scanJson } from '#domain/privacy/scan-json.js';
import { jobStream } from '#domain/stream-names.js';
import type { MappingOptions } from './mapping-options.js';

const NO_HASH = '0'.repeat(64);
/** The characters of a compact JWE’s initialization vector (12 bytes), tag (16 bytes) and separators. */
const JWE_FIXED = 16 + 22 + 4;

const base64Length = (bytes: number): number => Math.ceil((bytes * 4) / 3);

/**
 * Predicts what the service’s privacy gate makes of a value. The ciphertext is unknown, but its length is not, and
 * no rule depends on more (SPEC P5).
 */
class SimulatedGate {
  /** @param subject the subject of the job’s personal data */
  constructor(
    private readonly subject: string,
    private readonly rules: RuleSet,
  ) {}

  /** Returns a redactor that throws a Refusal for what cannot be scanned. */
  redactor(): Redactor {
    return new Redactor(
      () => NO_HASH,
      (reason, verdict) => (verdict === undefined ? new Error(reason) : privacyBlocked(verdict)),
      this.rules,
    );
  }

  /** @throws Refusal for a value that cannot be scanned */
  held(value: Json): Held {
    const verdict = scanJson(value, this.rules);
    if (verdict.outcome === 'cannot_scan') throw privacyBlocked(verdict);
    const types = findingTypes(verdict).join(',') || (holdsBytes(value) ? 'bytes' : '');
    if (types === '') return { value };
    const header = JSON.stringify({ alg: 'dir', enc: 'A256GCM', kid: keyId(this.subject, 1) });
    const length =
      base64Length(Buffer.byteLength(header)) +
      base64Length(Buffer.byteLength(canonicalJson(value))) +
      JWE_FIXED;
    return { sealed: { jwe: '-'.repeat(length), type: types } };
  }
}

/** The approximate bytes of an event besides its data: metadata, names and protocol. */
const EVENT_OVERHEAD_BYTES = 800;

export interface Applied {
  readonly events: readonly JobEvent[];
  /** The answer that the service will give. */
  readonly result: Json;
  /** The approximate bytes of the command's events in the log. */
  readonly bytes: number;
}

/**
 * Predicts the state of a job in the service by applying the same rules. It does not know the snapshots
 * and the owner, but no id and no promotion depends on them.
 */
export class SimulatedJob {
  #state: JobState;

  readonly #gate: SimulatedGate;

  /** @param gated the user of the importing token, and the rules of the service's privacy gate */
  constructor(
    { job_seed, goal }: StartJob & { readonly job_seed: string },
    { user, rules }: Pick<MappingOptions, 'user' | 'rules'>,
  ) {
    const owner = { sub: '', user_id: user };
    this.#gate = new SimulatedGate(subjectOfJob(job_seed, owner), rules);
    const initial = jobDecider.initialState(jobStream(job_seed));
    const started = jobDecider.decide(
      {
        op: 'start',
        job_seed,
        owner,
        session_id: null,
        seeded_epoch: null,
        ...(typeof goal === 'string'
          ? finished(redactedGoal(goal, this.#gate.redactor()))
          : { goal: null }),
        constants: resolveConstants(),
        snapshots: {
          sem_snapshot_id: '',
          sem_snapshot_hash: '',
          sem_event_count: 0,
          episodic_snapshot_id: '',
          episodic_count: 0,
        },
        carried_cwm: null,
      },
      initial,
    );
    this.#state = fold(jobDecider, initial, started);
  }

  hasRoomFor(entries: number): boolean {
    return this.#state.wm.length + entries <= MAX_ENTRIES;
  }

  countEvents(): number {
    let state = this.#state;
    for (let owed = owedBy(state); owed.length > 0; owed = owedBy(state))
      state = fold(jobDecider, state, owed);
    return state.version + 1;
  }

  /**
   * Applies a command.
   * @throws Refusal if the service would refuse the command.
   */
  apply(command: JobCommand): Applied {
    const events = jobDecider.decide(this.#decisionOf(command), this.#state);
    const [input] = events;
    const after = fold(jobDecider, this.#state, events.slice(0, 1));
    this.#state = fold(jobDecider, after, events.slice(1));
    const result = input === undefined ? null : (jobDecider.resultOf?.(input, after) ?? null);
    const bytes = events.reduce((sum, { data }) => sum + canonicalSize(data), 0);
    return { events, result, bytes: bytes + events.length * EVENT_OVERHEAD_BYTES };
  }

  #decisionOf(command: JobCommand): Decision {
    switch (command.op) {
      case 'wm_insert': {
        const { value, ...entry } = command;
        return { ...entry, ...this.#gate.held(value) };
      }
      case 'goal':
        return { op: 'goal', ...finished(redactedGoal(command.goal, this.#gate.redactor())) };
      case 'episodic_write': {
        const { summary, payload = null, evidence = [], source = 'agent' } = command;
        const words = finished(
          redactedEpisode({ summary, payload, evidence }, this.#gate.redactor()),
        );
        return { op: 'episodic_write', source, ...words };
      }
      case 'tick':
        return { op: 'tick' };
      case 'end':
        return { op: 'end' };
      default:
        return command;
    }
  }
}

const owedBy = (state: JobState): readonly JobEvent[] => jobDecider.owed?.(state) ?? [];

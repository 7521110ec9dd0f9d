import { canonicalSize, uncarriable } from '#domain/determinism/canonical-json.js';
import { PAYLOAD_BYTES, SUMMARY_CODE_POINTS } from '#domain/episode/summaries.js';
import { Refusal } from '#domain/errors/refusal.js';
import type { Json, JsonObject } from '#domain/json.js';
import type { WmType } from '#domain/job/entry.js';
import type { RuleSet } from '#domain/privacy/rule-set.js';
import { scanText } from '#domain/privacy/scan-text.js';
import type { JobCommand, StartJob } from '#client/jobs.js';
import { Batches } from './batches.js';
import { HeldValues, type MessageContent } from './held-values.js';
import { clearLeavesOf, leavesOf } from './leaves.js';
import { LeftOut } from './left-out.js';
import type { MappingOptions } from './mapping-options.js';
import type { Message, Recording, ToolCall } from './recording.js';
import { SimulatedJob } from './simulated-job.js';
import { fieldItems, fieldsOf, type SkippedValue, statementItems } from './wm-items.js';

/** The commands that a runtime would have sent during a recorded run. */
export interface MappedRun {
  readonly start: StartJob & { readonly job_seed: string };
  /** The batches in order. Each is one atomic request of at most 500 commands. */
  readonly batches: readonly (readonly JobCommand[])[];
  /** The number of events in the job's stream after the job has ended. */
  readonly events: number;
  readonly promotions: number;
  readonly episodes: number;
  readonly references: number;
  /** How often something of the run is left out, by the reason. */
  readonly skipped: ReadonlyMap<string, number>;
}

const MAX_GOAL = 200;

/**
 * Maps a recording to the commands of one job. Each message becomes a tick. Each statement of the user,
 * and each top-level field of a tool's answer, becomes a WM entry. Each repetition of a value in a later
 * message or tool call becomes a reference to the entry or CWM item that holds the value. Each tool call
 * that changes something becomes an episode. The end of the job follows the last message. Ids are
 * deterministic, and the mapping applies the same rules as the service, so it needs no answers from the
 * service while the run is sent. The mapping is a pure function: the same recording gives the same
 * commands.
 */
export const recordingToCommands = (recording: Recording, options: MappingOptions): MappedRun =>
  new RunMapping(recording, options).map();

class RunMapping {
  readonly #job: SimulatedJob;
  readonly #held = new HeldValues();
  readonly #batches = new Batches();
  readonly #leftOut: LeftOut;
  readonly #start: MappedRun['start'];
  /** Tool calls that have no answer yet, oldest first. */
  #open: { readonly call: ToolCall; readonly used: readonly string[] }[] = [];
  #promotions = 0;
  #episodes = 0;
  #references = 0;

  constructor(
    private readonly recording: Recording,
    private readonly options: MappingOptions,
  ) {
    this.#leftOut = new LeftOut(recording.leftOut);
    this.#start = startOf(recording, options.rules);
    this.#job = new SimulatedJob(this.#start, options);
  }

  map(): MappedRun {
    for (const message of this.recording.messages) {
      this.#take(message);
      this.#send({ op: 'tick' });
    }
    for (const { call, used } of this.#open) this.#writeEpisode(call, null, used);
    this.#send({ op: 'end' });
    if (this.#episodes === 0)
      this.#leftOut.add(
        'field of a run without an episode',
        Object.keys(this.recording.about).length,
      );
    return {
      start: this.#start,
      batches: this.#batches.all(),
      events: this.#job.countEvents(),
      promotions: this.#promotions,
      episodes: this.#episodes,
      references: this.#references,
      skipped: this.#leftOut.counts(),
    };
  }

  #take(message: Message): void {
    switch (message.role) {
      case 'system':
        this.#refer({ texts: [message.text], values: [] });
        break;
      case 'user':
        this.#refer({ texts: [message.text], values: [] });
        if (message.text !== '')
          this.#remember('context', statementItems(message.text), message.text);
        break;
      case 'assistant':
        this.#refer({ texts: [message.text], values: [] });
        for (const call of message.calls) {
          const used = this.#refer({ texts: [], values: leavesOf(call.arguments) });
          this.#open.push({ call, used });
        }
        break;
      case 'tool':
        this.#takeAnswer(message);
        break;
    }
  }

  #takeAnswer(message: Extract<Message, { role: 'tool' }>): void {
    const answered =
      this.#open.find(({ call }) => call.id !== null && call.id === message.call_id) ??
      this.#open[0];
    const tool = message.name ?? answered?.call.name ?? 'tool';
    this.#refer({ texts: leavesOf(message.result), values: [] });
    if (message.result !== '') {
      for (const [field, value] of fieldsOf(tool, message.result))
        this.#remember('fact', fieldItems(field, value));
    }
    if (answered === undefined) return;
    this.#open = this.#open.filter((open) => open !== answered);
    this.#writeEpisode(answered.call, message.result, answered.used);
  }

  /** Records a use of every item that the message repeats, and returns the items' ids. */
  #refer(said: MessageContent): string[] {
    const used = this.#held.repeatedBy(said);
    for (const id of used) {
      const inCwm = id.startsWith('cwmi:');
      this.#send(inCwm ? { op: 'cwm_reference', item_id: id } : { op: 'wm_reference', wm_id: id });
    }
    this.#references += used.length;
    return used;
  }

  /** Inserts the items into working memory. `statement` is the user's statement, if the items hold one. */
  #remember(type: WmType, items: readonly JsonObject[] | SkippedValue, statement?: string): void {
    if ('reason' in items) return this.#leftOut.add(items.reason);
    if (!this.#job.hasRoomFor(items.length))
      return this.#leftOut.add('item beyond 1,000 in working memory');
    for (const value of items) {
      const what = statement === undefined ? 'tool result' : 'user statement';
      const inserted = this.#sendIfAccepted({ op: 'wm_insert', type, value }, what);
      if (inserted === undefined) continue;
      const { wm_id } = inserted as { wm_id: string };
      if (statement === undefined) this.#held.addValue(wm_id, value);
      else this.#held.addStatement(wm_id, statement);
    }
  }

  #writeEpisode(call: ToolCall, result: Json, used: readonly string[]): void {
    if (!this.options.changingPrefixes.some((prefix) => call.name.startsWith(prefix))) return;
    const payload = {
      tool: call.name,
      arguments: call.arguments,
      result,
      recording: this.recording.about,
    };
    if (uncarriable(payload) !== undefined)
      return this.#leftOut.add('episode that memory cannot carry');
    if (canonicalSize(payload) > PAYLOAD_BYTES)
      return this.#leftOut.add('episode with a payload of more than 256 KB');
    const outcome = result === null ? '' : ` → ${this.#textOf(result)}`;
    const carriesId = uncarriable(call.id) === undefined;
    const episode: JobCommand = {
      op: 'episodic_write',
      source: 'executor',
      summary: cut(`${call.name} ${this.#textOf(call.arguments)}${outcome}`, SUMMARY_CODE_POINTS),
      payload,
      evidence: [{ tool_call_id: carriesId ? call.id : null, used }],
    };
    if (this.#sendIfAccepted(episode, 'episode') === undefined) return;
    if (!carriesId) this.#leftOut.add('tool call id that memory cannot carry');
    this.#episodes += 1;
  }

  #textOf(value: Json): string {
    return typeof value === 'string' ? value : clearLeavesOf(value, this.options.rules).join(' ');
  }

  /** Leaves out a command that the service would refuse. Returns undefined for it, and otherwise the answer. */
  #sendIfAccepted(command: JobCommand, what: string): Json | undefined {
    try {
      return this.#send(command);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      const unscannable = error.code === 'PRIVACY_BLOCKED';
      this.#leftOut.add(
        `${what} that ${unscannable ? 'cannot be scanned for personal data' : 'is too large for memory'}`,
      );
      return undefined;
    }
  }

  /**
   * Applies a command as the service will, updates the ids that the command changed, and adds the
   * command to a batch.
   */
  #send(command: JobCommand): Json {
    const { events, result, bytes } = this.#job.apply(command);
    this.#batches.add(command, bytes);
    for (const event of events) {
      switch (event.type) {
        case 'promotion_event':
          this.#promotions += 1;
          this.#held.rename(event.data.wm_id, event.data.item_id);
          break;
        case 'cwm_returned':
          this.#held.rename(event.data.item_id, event.data.wm_id);
          break;
        case 'wm_expired':
          this.#held.remove(event.data.wm_id);
          break;
        case 'cwm_expired':
        case 'cwm_evicted':
          this.#held.remove(event.data.item_id);
          break;
        default:
          break;
      }
    }
    return result;
  }
}

function startOf({ job_seed, messages }: Recording, rules: RuleSet): MappedRun['start'] {
  const first = messages
    .flatMap((message) => (message.role === 'user' ? [message.text] : []))
    .at(0);
  const goal = cut((first ?? '').replace(/\s+/g, ' ').trim(), MAX_GOAL);
  const isRefused =
    uncarriable(goal) !== undefined || scanText(goal, rules).outcome === 'cannot_scan';
  return goal === '' || isRefused ? { job_seed } : { job_seed, goal };
}

/** Returns the first `length` code points. */
const cut = (text: string, length: number): string =>
  [...text.slice(0, 2 * length)].slice(0, length).join('');

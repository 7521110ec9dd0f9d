import { Injectable } from '@nestjs/common';
import { hashJson } from '#domain/determinism/hash.js';
import { applyRetention } from '#domain/memory-contract/apply-retention.js';
import type { ApplyRetention } from '#domain/memory-contract/commands.js';
import type { DiffRequest, RequestData, ToldElsewhere } from '#domain/memory-contract/events.js';
import { memoryStream, UNKNOWN_PROJECT } from '#domain/memory-contract/owners.js';
import type { PolicySnapshot } from '#domain/memory-contract/policy.js';
import type { StoreState } from '#domain/memory-contract/state.js';
import { diffOfPhases } from '#domain/memory-contract/tell-diff.js';
import type { CommandIdentity } from '#domain/recorded-event.js';
import type { Loaded } from '#event-store/aggregate-store.js';
import { foreignStores } from './memory-request.js';
import { MemoryStores, outcomeItself } from './memory-stores.js';

/** What a request is done for: its data, the policy always with it. */
export type ForRequest = Pick<RequestData, 'assistant' | 'owners' | 'policy_hash'> & {
  readonly policy: PolicySnapshot;
};

/** What another store told a request, and how it stands after that. */
export type Forgotten = ToldElsewhere & { readonly state: StoreState };

/** What other stores most likely tell a request, and whether they did; that never fails. */
export interface Foreseen {
  readonly forgotten: readonly Forgotten[];
  readonly holds: Promise<boolean>;
}

/** A step that another command causes, on whatever stream: doing it again adds nothing (SPEC I7). */
export function causedBy(
  { command_id, actor, trace_id }: CommandIdentity,
  step: string,
): CommandIdentity {
  return {
    command_id: hashJson([command_id, step]),
    body_hash: hashJson([command_id, step]),
    actor,
    trace_id,
    evidence: { caused_by: command_id },
  };
}

/** Stores as the log has them, by stream. */
export type Looked = ReadonlyMap<string, Promise<Loaded<StoreState>>>;

/** What requests do to, and read from, the stores of spaces other than their session's (SPEC M10, M15). */
@Injectable()
export class ForeignRetention {
  constructor(private readonly stores: MemoryStores) {}

  /** Begins to read these stores, while it is found out whether the request may go on. */
  look({ policy, owners }: Pick<ForRequest, 'owners' | 'policy'>): Looked {
    return new Map(
      foreignStores(policy, owners).map(({ stream }) => [stream, begun(this.stores.load(stream))]),
    );
  }

  /** Forgets there what has expired; a store where nothing has is not written (SPEC M10). */
  forget(
    request: ForRequest,
    identity: CommandIdentity,
    looked: Looked = new Map(),
  ): Promise<readonly Forgotten[]> {
    const { policy, owners } = request;
    const command = retentionFor(request);
    const step = retentionStep(identity);
    return Promise.all(
      foreignStores(policy, owners).map(async ({ space, stream }) => {
        const { answer, state } = await this.stores.execute(
          stream,
          step,
          { unfold: applyRetention, commandFor: () => command, answerOf: outcomeItself },
          looked.get(stream),
        );
        const after = answer.events.length === 0 ? state : (await this.stores.load(stream)).state;
        return { space, told: answer.told, state: after };
      }),
    );
  }

  /**
   * What `forget` will tell if these stores are still as this process knows them; undefined where it does not
   * know one, or something there is to be forgotten.
   */
  foresee(request: ForRequest, identity: CommandIdentity, looked: Looked): Foreseen | undefined {
    const { policy, owners } = request;
    const command = retentionFor(request);
    const { command_id } = retentionStep(identity);
    const forgotten: Forgotten[] = [];
    const asKnown: Promise<boolean>[] = [];
    for (const { space, stream } of foreignStores(policy, owners)) {
      const known = this.stores.known(stream);
      if (known === undefined || known.answerTo(command_id) !== undefined) return undefined;
      const { events, told } = applyRetention(known.state, command);
      if (events.length > 0) return undefined;
      forgotten.push({ space, told, state: known.state });
      asKnown.push(isAt(known.version, looked.get(stream)));
    }
    const holds = Promise.all(asKnown).then((all) => all.every((one) => one));
    return { forgotten, holds };
  }

  /** The diff that an interaction asks for, with the answer of the store that it is about (SPEC M15). */
  async diff(
    asked: Pick<DiffRequest, 'from' | 'to' | 'space'> | null,
    { owners }: Pick<ForRequest, 'owners'>,
  ): Promise<DiffRequest | null> {
    if (asked === null) return null;
    const { from, to, space } = asked;
    const owner = owners[space];
    if (space === 'session' || (space === 'project' && owner === UNKNOWN_PROJECT))
      return { from, to, space };
    const { state } = await this.stores.load(memoryStream(space, owner));
    return { from, to, space, elsewhere: diffOfPhases(state, from, to) };
  }
}

const retentionFor = ({ assistant, owners, policy_hash, policy }: ForRequest): ApplyRetention => ({
  op: 'apply_retention',
  assistant,
  session: owners.session,
  policy_hash,
  policy,
});

const retentionStep = (identity: CommandIdentity): CommandIdentity =>
  causedBy(identity, 'retention');

/** Whether the log has a store at that version; of what cannot be read, nothing is known. */
async function isAt(version: number, looked?: Promise<Loaded<StoreState>>): Promise<boolean> {
  try {
    return (await looked)?.version === version;
  } catch {
    return false;
  }
}

/** What stands in a command of what other stores told: the silent ones are left out. */
export const heardFrom = (forgotten: readonly Forgotten[]): readonly ToldElsewhere[] =>
  forgotten.flatMap(({ space, told }) => (told.length === 0 ? [] : [{ space, told }]));

/** Work that goes on while the session's store is read; who awaits it then is told if it fails. */
export function begun<Result>(work: Promise<Result>): Promise<Result> {
  work.catch(() => undefined);
  return work;
}

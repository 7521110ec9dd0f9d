import { Injectable } from '@nestjs/common';
import { fewAtOnce } from '#bounded/few-at-once.js';
import { type Held, isSealed, type Sealed } from '#domain/held.js';
import type { Json } from '#domain/json.js';
import { redactedView } from '#domain/privacy/redact.js';
import { ERASED } from '#domain/privacy/withheld.js';
import { SubjectKeys } from '#subject-keys/subject-keys.js';

/** An object that may show a sealed value. */
type MaybeSealed = { readonly sealed?: Sealed };

/** Returns true if a caller may see personal data. */
export type MayOpen = () => boolean | Promise<boolean>;

/** Shows sealed values to callers: opened, redacted or as erased (SPEC P3, P5). */
@Injectable()
export class SealedValues {
  constructor(private readonly keys: SubjectKeys) {}

  /**
   * Returns what a caller sees of a recorded value: `{erased: true}` if its key was destroyed, otherwise the value
   * if the caller may see it, or `{redacted: true, …}`. Fails with `KeysUnavailable`.
   */
  async shown(held: Held, mayOpen: boolean): Promise<Json> {
    if (!isSealed(held)) return held.value;
    const { sealed } = held;
    if (!mayOpen) return (await this.keys.isErased(sealed)) ? ERASED : redactedView(held);
    const opened = await this.keys.open(sealed);
    return 'value' in opened ? opened.value : ERASED;
  }

  /**
   * Returns entries with `value` in place of `sealed`. The other entries stay as they are. @param mayOpen returns true
   * if the caller may see the values; it is called only if an entry is sealed
   */
  async entries<Entry extends MaybeSealed>(
    entries: readonly Entry[],
    mayOpen: MayOpen,
  ): Promise<readonly (Entry | (Omit<Entry, 'sealed'> & { readonly value: Json }))[]> {
    if (!entries.some(({ sealed }) => sealed !== undefined)) return entries;
    const opens = await mayOpen();
    return fewAtOnce(entries, async (entry) => {
      const { sealed, ...rest } = entry;
      return sealed === undefined ? entry : { ...rest, value: await this.shown({ sealed }, opens) };
    });
  }
}

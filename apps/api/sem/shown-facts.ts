import { Injectable } from '@nestjs/common';
import { fewAtOnce } from '#bounded/few-at-once.js';
import { isEntityOf, parseKey } from '#domain/canonical-key/canonical-key.js';
import type { Held } from '#domain/held.js';
import type { Json } from '#domain/json.js';
import { ownUserId } from '#domain/ownership/access.js';
import { isClearedFact } from '#domain/sem/cleared-fact.js';
import type { Actor } from '#domain/recorded-event.js';
import type { Fact } from '#projections/sem/queries.js';
import { SealedValues } from '../privacy/sealed-values.js';
import { factView } from './fact-view.js';

/**
 * Shows facts. The user whom a fact concerns sees its sealed value, and everybody a value that the council has cleared;
 * others see it redacted (SPEC P3, P5, W8).
 */
@Injectable()
export class ShownFacts {
  constructor(private readonly values: SealedValues) {}

  /** @param mayOpen true if the caller may see personal data of other users as well */
  async of(actor: Actor, fact: Fact, mayOpen = false) {
    return factView(fact, await this.value(actor, fact.key, fact.held, mayOpen));
  }

  /** Returns a value that was put under a key, as the caller may see it. */
  value(actor: Actor, key: string, held: Held, mayOpen = false): Promise<Json> {
    const { scope, entity_id } = parseKey(key);
    const own = ownUserId(actor);
    const isOwn = scope === 'user' && own !== undefined && isEntityOf(own, entity_id);
    return this.values.shown(held, mayOpen || isOwn || isClearedFact(key, held));
  }

  /** Returns the facts of a page, each with its key. */
  page(actor: Actor, facts: readonly Fact[]) {
    return fewAtOnce(facts, async (fact) => ({
      key: fact.key,
      ...(await this.of(actor, fact)),
    }));
  }
}

import { SAMPLE_SEEDS } from '#domain/job/sample-seeds.js';
import type { Person } from './story.js';

/**
 * The names of the sample in memory. Each filling after a removal has names of its own, because what was erased or
 * deleted stays so: `sample-mira`, then `sample-2-mira`.
 */
export class SampleNames {
  readonly prefix: string;

  constructor(readonly round: number) {
    this.prefix = round === 1 ? SAMPLE_SEEDS : `${SAMPLE_SEEDS}${round}-`;
  }

  of(name: string): string {
    return this.prefix + name;
  }

  /** Returns the canonical key of a key in the story. The keys of a person have the person's entity id. */
  key(key: string): string {
    const [scope, type, entity = '', attribute] = key.split('/');
    const id = scope === 'user' ? `user_${this.of(entity).replaceAll('-', '_')}` : this.of(entity);
    return [scope, type, id, attribute].join('/');
  }

  /** Returns the namespace of the notes about a person. */
  notesAbout(person: Person): readonly string[] {
    return [this.of('people'), this.of(person)];
  }

  /** Returns the options of a write that happens once in this round, however often the command runs. */
  once(...step: readonly string[]): { readonly idempotencyKey: string } {
    return { idempotencyKey: [`sample-${this.round}`, ...step].join(':') };
  }
}

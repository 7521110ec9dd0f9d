import { Injectable } from '@nestjs/common';
import { fewAtOnce } from '#bounded/few-at-once.js';
import { Refusal } from '#domain/errors/refusal.js';
import type { Space } from '#domain/memory-contract/item.js';
import { readsEveryOwner } from '#domain/ownership/access.js';
import type { Actor } from '#domain/recorded-event.js';
import { type SealedList, SealedCursors } from '../platform/http/sealed-cursors.js';
import { MemoryAccess } from './memory-access.js';

/**
 * One request looks at so many rows at most, because it reads the claim of each. The longest page has as many, so a
 * caller who may read every row gets whole pages.
 */
const MOST_LOOKED_AT = 200;

interface ReadableList<Row> {
  readonly list: SealedList;
  readonly actor: Actor;
  /** The owner that the request names. */
  readonly named: string;
  readonly limit: number;
  readonly cursor: string | undefined;
  /** Returns so many rows after a place, fewer at the end of the list. */
  readonly rows: (after: string | undefined, count: number) => Promise<readonly Row[]>;
  /** Leaves out rows that the request does not ask for. */
  readonly asked?: (rows: readonly Row[]) => Promise<readonly Row[]>;
  readonly storeOf: (row: Row) => { readonly space: Space; readonly owner: string };
  readonly placeOf: (row: Row) => string;
}

/** Lists stores page by page, without those that the caller may not read. */
@Injectable()
export class ReadablePages {
  constructor(
    private readonly access: MemoryAccess,
    private readonly cursors: SealedCursors,
  ) {}

  /**
   * Returns a page, and the cursor of the next one; null on the last page. The cursor is sealed, because it may be the
   * place of a row that the caller may not read.
   */
  async page<Row>({
    list,
    actor,
    named,
    limit,
    cursor,
    rows,
    asked = (readable) => Promise.resolve(readable),
    storeOf,
    placeOf,
  }: ReadableList<Row>): Promise<{
    readonly rows: readonly Row[];
    readonly next_cursor: string | null;
  }> {
    const page: Row[] = [];
    let after = cursor === undefined ? undefined : this.cursors.open(list, cursor);
    let looked = 0;
    // After rows that are hidden, more are read at once: a short page takes few statements.
    for (
      let more = limit;
      more > 0 && page.length < limit;
      more = Math.min(looked, MOST_LOOKED_AT - looked)
    ) {
      const found = await rows(after, more);
      const may = await fewAtOnce(found, (row) => this.mayRead(actor, storeOf(row), named));
      looked += more;
      page.push(...(await asked(found.filter((_, index) => may[index]))));
      const last = page[limit - 1] ?? found.at(-1);
      if (last !== undefined) after = placeOf(last);
      if (found.length < more && page.length <= limit) return { rows: page, next_cursor: null };
    }
    const next_cursor = after === undefined ? null : this.cursors.seal(list, after);
    return { rows: page.slice(0, limit), next_cursor };
  }

  private async mayRead(
    actor: Actor,
    { space, owner }: { readonly space: Space; readonly owner: string },
    named: string,
  ): Promise<boolean> {
    if (readsEveryOwner(actor)) return true;
    try {
      await this.access.requireListed(actor, space, owner, named);
      return true;
    } catch (cause) {
      if (cause instanceof Refusal && cause.code !== 'INTEGRITY_FAILURE') return false;
      throw cause;
    }
  }
}

import { Injectable } from '@nestjs/common';
import { Refusal } from '#domain/errors/refusal.js';
import type { Space } from '#domain/memory-contract/item.js';
import { readsEveryOwner } from '#domain/ownership/access.js';
import type { Actor } from '#domain/recorded-event.js';
import { MemoryAccess } from './memory-access.js';

/** The most stores that one request looks at, because each one that the caller may not read costs a look at its claim. */
const MOST_LOOKED_AT = 1_000;

interface ReadableList<Row> {
  readonly actor: Actor;
  /** The owner that the request names. */
  readonly named: string;
  readonly limit: number;
  readonly cursor: string | undefined;
  readonly rows: (after: string | undefined) => Promise<readonly Row[]>;
  /** Leaves out rows that the request does not ask for. */
  readonly asked?: (rows: readonly Row[]) => Promise<readonly Row[]>;
  readonly storeOf: (row: Row) => { readonly space: Space; readonly owner: string };
  readonly placeOf: (row: Row) => string;
}

/** Lists stores page by page, without those that the caller may not read. */
@Injectable()
export class ReadablePages {
  constructor(private readonly access: MemoryAccess) {}

  /** Returns a page, and the place after which the next one begins; null on the last page. */
  async page<Row>({
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
    let after = cursor;
    for (let looked = 0; looked < MOST_LOOKED_AT && page.length < limit; looked += limit) {
      const found = await rows(after);
      const may = await Promise.all(found.map((row) => this.mayRead(actor, storeOf(row), named)));
      page.push(...(await asked(found.filter((_, index) => may[index]))));
      const last = page[limit - 1] ?? found.at(-1);
      if (last !== undefined) after = placeOf(last);
      if (found.length < limit && page.length <= limit) return { rows: page, next_cursor: null };
    }
    return { rows: page.slice(0, limit), next_cursor: after ?? null };
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

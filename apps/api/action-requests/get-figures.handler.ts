import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { councilFigures } from '#domain/action-request/council-figures.js';
import { Refusal } from '#domain/errors/refusal.js';
import { normalizeTimestamp } from '#domain/sem/timestamp.js';
import { ActionRequestQueries } from '#projections/action-requests/queries.js';
import type { FiguresDto, FiguresQuery } from './dto/figures.dto.js';

const DEFAULT_MS = 30 * 24 * 3_600_000;

export class GetFigures extends Query<FiguresDto> {
  constructor(readonly filter: FiguresQuery) {
    super();
  }
}

/** Returns the council's own figures for the requests that were closed in a period. */
@QueryHandler(GetFigures)
export class GetFiguresHandler implements IQueryHandler<GetFigures> {
  constructor(private readonly requests: ActionRequestQueries) {}

  async execute({ filter }: GetFigures): Promise<FiguresDto> {
    const to = normalizeTimestamp(filter.to ?? new Date().toISOString());
    const before = new Date(Date.parse(to) - DEFAULT_MS).toISOString();
    const from = normalizeTimestamp(filter.from ?? before);
    if (from >= to) throw new Refusal('INVALID_INPUT', { reason: 'from must be before to' });
    return { from, to, ...councilFigures(await this.requests.closedBetween(from, to)) };
  }
}

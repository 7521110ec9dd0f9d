import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { councilFigures } from '#domain/action-request/council-figures.js';
import { bucketFor, figuresOverTime } from '#domain/action-request/figures-over-time.js';
import { Refusal } from '#domain/errors/refusal.js';
import { normalizeTimestamp } from '#domain/sem/timestamp.js';
import { ActionRequestQueries } from '#projections/action-requests/queries.js';
import type { FiguresDto, FiguresQuery } from '../dto/figures.dto.js';

const DEFAULT_MS = 30 * 24 * 3_600_000;

export class GetFigures extends Query<FiguresDto> {
  constructor(readonly filter: FiguresQuery) {
    super();
  }
}

/** Returns the council's own figures for the requests that were closed in a period, in all and over time. */
@QueryHandler(GetFigures)
export class GetFiguresHandler implements IQueryHandler<GetFigures> {
  constructor(private readonly requests: ActionRequestQueries) {}

  async execute({ filter }: GetFigures): Promise<FiguresDto> {
    const to = normalizeTimestamp(filter.to ?? new Date().toISOString());
    const before = new Date(Date.parse(to) - DEFAULT_MS).toISOString();
    const from = normalizeTimestamp(filter.from ?? before);
    if (from >= to) throw new Refusal('INVALID_INPUT', { reason: 'from must be before to' });
    const period = { from, to };
    const bucket = filter.bucket ?? bucketFor(period);
    const closed = await this.requests.closedBetween(from, to);
    const series = figuresOverTime(closed, bucket, period);
    return { ...period, ...councilFigures(closed), bucket, series };
  }
}

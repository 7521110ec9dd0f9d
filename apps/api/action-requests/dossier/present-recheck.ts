import { Injectable } from '@nestjs/common';
import { ApiField, many } from '../../platform/http/answer-fields.js';
import { RecheckDto } from '../recheck/recheck-view.js';
import { RequestRecheck } from '../recheck/request-recheck.js';
import type { DossierPart, ReviewedRequest } from './dossier-part.js';

export class PresentRecheckFields {
  @ApiField(many(RecheckDto), {
    description:
      'The check of a pending request at the time of this answer; empty if nothing has changed.',
  })
  readonly recheck!: readonly RecheckDto[];
}

@Injectable()
export class PresentRecheck implements DossierPart<PresentRecheckFields> {
  constructor(private readonly checks: RequestRecheck) {}

  async of({ state, request, ...read }: ReviewedRequest): Promise<PresentRecheckFields> {
    if (state.status !== 'pending') return { recheck: [] };
    const [writes, citations] = await Promise.all([read.writes(), read.citations()]);
    return { recheck: await this.checks.of(request, { ...writes, ...citations }) };
  }
}

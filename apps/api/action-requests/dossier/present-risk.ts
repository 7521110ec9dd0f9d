import { Injectable } from '@nestjs/common';
import { ActionRequestQueries } from '#projections/action-requests/queries.js';
import { ApiField, one, orNull } from '../../platform/http/answer-fields.js';
import { RiskDto } from '../action-request-view.js';
import type { DossierPart, ReviewedRequest } from './dossier-part.js';

export class PresentRiskFields {
  @ApiField(orNull(one(RiskDto)), {
    description: 'The present risk of a pending request, else the risk at the last vote.',
  })
  readonly risk!: RiskDto | null;
}

@Injectable()
export class PresentRisk implements DossierPart<PresentRiskFields> {
  constructor(private readonly requests: ActionRequestQueries) {}

  async of({ request }: ReviewedRequest): Promise<PresentRiskFields> {
    return { risk: await this.requests.riskOf(request.request_id) };
  }
}

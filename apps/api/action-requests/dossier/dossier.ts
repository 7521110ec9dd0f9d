import type { Provider } from '@nestjs/common';
import { IntersectionType } from '@nestjs/swagger';
import type { ReviewedRequest } from './dossier-part.js';
import { CitedByRequest, CitedByRequestFields } from './cited-by-request.js';
import { ConsentReview, ConsentReviewFields } from './consent-review.js';
import { EarlierRejections, EarlierRejectionsFields } from './earlier-rejections.js';
import { ErasureReview, ErasureReviewFields } from './erasure-review.js';
import { OtherRequests, OtherRequestsFields } from './other-requests.js';
import { PresentRecheck, PresentRecheckFields } from './present-recheck.js';
import { PresentRisk, PresentRiskFields } from './present-risk.js';
import { RequestItself, RequestItselfFields } from './request-itself.js';
import { SimilarFacts, SimilarFactsFields } from './similar-facts.js';
import { StandingFacts, StandingFactsFields } from './standing-facts.js';

/** Everything that a reviewer needs to decide on one request: the fields of all parts. */
export class DossierDto extends IntersectionType(
  RequestItselfFields,
  PresentRiskFields,
  PresentRecheckFields,
  StandingFactsFields,
  SimilarFactsFields,
  OtherRequestsFields,
  EarlierRejectionsFields,
  CitedByRequestFields,
  ConsentReviewFields,
  ErasureReviewFields,
) {}

/** The parts of a dossier. A new field stands in its part alone. */
const PARTS = [
  RequestItself,
  PresentRisk,
  PresentRecheck,
  StandingFacts,
  SimilarFacts,
  OtherRequests,
  EarlierRejections,
  CitedByRequest,
  ConsentReview,
  ErasureReview,
] as const;
type Part = InstanceType<(typeof PARTS)[number]>;

type AllOf<Union> = (Union extends unknown ? (one: Union) => void : never) extends (
  all: infer All,
) => void
  ? All
  : never;

/** Composes a dossier of its parts. */
export class Dossier {
  static readonly providers: readonly Provider[] = [
    ...PARTS,
    { provide: Dossier, useFactory: (...parts: Part[]) => new Dossier(parts), inject: [...PARTS] },
  ];

  private constructor(private readonly parts: readonly Part[]) {}

  async of(reviewed: ReviewedRequest): Promise<DossierDto> {
    const found = await Promise.all(this.parts.map((part) => part.of(reviewed)));
    return Object.assign({}, ...found) as AllOf<(typeof found)[number]>;
  }
}

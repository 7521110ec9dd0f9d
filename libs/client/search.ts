import type { Schemas } from './schemas.js';

export type SearchRequest = Schemas['SearchDto'];

export type SearchResult = Schemas['SearchResultDto'];

export type SearchHit = Schemas['SearchHitDto'];

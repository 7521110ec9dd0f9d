import type { Schemas } from './schemas.js';

export type SearchRequest = Schemas['SearchMemory'];

export type SearchResult = Schemas['SearchResultDto'];

export type SearchHit = Schemas['SearchHitDto'];

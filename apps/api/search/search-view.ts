import { SEARCH_KINDS, type SearchKind } from '#domain/search/kinds.js';
import {
  ApiField,
  INSTANT,
  JSON_OBJECT,
  list,
  many,
  NUMBER,
  one,
  oneOf,
  TEXT,
  WHOLE,
} from '../platform/http/answer-fields.js';
import { EventSourceDto } from '../platform/http/event-source.dto.js';
import { APPROVED_BY, type ApprovedByDto } from '../sem/fact-history-view.js';

export class SearchNoteDto {
  @ApiField(list(TEXT)) readonly namespace!: readonly string[];
  @ApiField(TEXT) readonly key!: string;
  @ApiField(WHOLE) readonly version!: number;
}

export class SearchTermDto {
  @ApiField(TEXT, { description: 'The stem under which the word is indexed.' })
  readonly term!: string;

  @ApiField(NUMBER) readonly score!: number;
}

export class SearchExplanationDto {
  @ApiField(many(SearchTermDto), { description: 'The part of each term in the text itself.' })
  readonly terms!: readonly SearchTermDto[];

  @ApiField(NUMBER, { description: 'The part of the entry before it in its job or session.' })
  readonly previous!: number;

  @ApiField(NUMBER, { description: 'The part of the entry after it.' })
  readonly next!: number;

  @ApiField(NUMBER, { description: 'The part of the entries around it, itself included.' })
  readonly window!: number;

  @ApiField(NUMBER, { description: 'The part of its job or session as a whole.' })
  readonly group!: number;

  @ApiField(JSON_OBJECT, { description: 'By what the sum of the parts is multiplied, and why.' })
  readonly multipliers!: Readonly<Record<string, number>>;

  @ApiField(APPROVED_BY, {
    optional: true,
    description:
      'Only of a fact; null if nobody approved it, missing while the log cannot be read.',
  })
  readonly approved_by?: ApprovedByDto | null;
}

export class SearchHitDto {
  @ApiField(oneOf(...SEARCH_KINDS)) readonly kind!: SearchKind;

  @ApiField(TEXT, {
    description: 'The episodic_id, the key of the fact, or the id of the item or entry.',
  })
  readonly id!: string;

  @ApiField(TEXT) readonly text!: string;
  @ApiField(NUMBER) readonly score!: number;

  @ApiField(INSTANT, {
    description:
      'The time that the ranking and `time_window` read. In a job whose start gave no time it is logical, and no date.',
  })
  readonly time!: string;

  @ApiField(INSTANT, {
    description: 'The time to show people: the one that was given, else when it was written.',
  })
  readonly shown_at!: string;

  @ApiField(one(EventSourceDto), { description: 'The event that put the text into memory.' })
  readonly source!: EventSourceDto;

  @ApiField(one(SearchNoteDto), { optional: true, description: 'Only for a note.' })
  readonly note?: SearchNoteDto;

  @ApiField(one(SearchExplanationDto), { optional: true, description: 'Only with `explain`.' })
  readonly explanation?: SearchExplanationDto;
}

export class SearchResultDto {
  @ApiField(TEXT, { description: 'The position in the log at which memory was searched.' })
  readonly as_of!: string;

  @ApiField(WHOLE) readonly ranking_version!: number;

  @ApiField(many(SearchHitDto), { description: 'Best first.' })
  readonly hits!: readonly SearchHitDto[];
}

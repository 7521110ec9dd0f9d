import type { Json } from '#domain/json.js';
import { AUTHORITY_ORDER } from '#domain/memory-contract/utterance/authority.js';
import {
  EVENT_TYPES,
  SPACES,
  type Authority,
  type EventType,
  type Space,
} from '#domain/memory-contract/item.js';
import {
  FORGET_POLICIES,
  RECALL_RANKINGS,
  WRITE_POLICIES,
  type ForgetPolicy,
  type RecallRanking,
  type WritePolicy,
} from '#domain/memory-contract/policy.js';
import {
  Flag,
  JsonList,
  ListOf,
  Nested,
  OneOf,
  SomeOf,
  Text,
  TextList,
  Whole,
  UserIdText,
} from '../platform/http/fields.js';
import { TOOL_EVENTS, TURN_TEXT } from '#domain/memory-contract/utterance/utterance.js';
import { Describes, WriteRequest } from '../platform/http/request.js';
import { RecalledDto, RecordedInteractionDto } from './memory-view.js';

const MAX_TURNS = 1_000;
const MAX_TYPES = EVENT_TYPES.length;

export class MemorySettingsDto {
  @Whole({ min: 0, max: MAX_TURNS, description: 'Turns in the short-term window.' })
  short_term!: number;

  @Flag() semantic!: boolean;
  @Flag() profile!: boolean;
}

export class SpacePromotionDto {
  @OneOf(SPACES) from_space!: Space;
  @OneOf(SPACES) to_space!: Space;
  @SomeOf(EVENT_TYPES, { max: MAX_TYPES }) allowed_event_types!: EventType[];
  @OneOf(AUTHORITY_ORDER) min_authority!: Authority;
  @Flag() decision_override!: boolean;
}

export class SpacesDto {
  @SomeOf(SPACES, { optional: true, max: SPACES.length }) read_order?: Space[];
  @SomeOf(SPACES, { optional: true, max: SPACES.length }) write_spaces?: Space[];

  @ListOf(SpacePromotionDto, { optional: true, max: SPACES.length ** 2 })
  promotions?: SpacePromotionDto[];
}

export class PrivacyDto {
  @TextList({ optional: true, max: 100, maxLength: 128 }) deny_patterns?: string[];
  @TextList({ optional: true, max: 20, maxLength: 64 }) allow_profile_keys?: string[];
  @Flag({ optional: true }) deny_sensitive?: boolean;
}

const MAX_TICKS = 1_000_000_000;

export class RetentionRuleDto {
  @OneOf(FORGET_POLICIES) mode!: ForgetPolicy;

  @Whole({
    optional: true,
    min: 1,
    max: MAX_TICKS,
    description: 'Default: the ticks that `forget_policy` has for the mode and the type.',
  })
  ttl_ticks?: number;
}

/** The rules of one kind, by event type; `default` is for the types that are not named. */
export class KindRetentionDto {
  @Nested(RetentionRuleDto, { optional: true }) default?: RetentionRuleDto;
  @Nested(RetentionRuleDto, { optional: true }) context?: RetentionRuleDto;
  @Nested(RetentionRuleDto, { optional: true }) correction?: RetentionRuleDto;
  @Nested(RetentionRuleDto, { optional: true }) decision?: RetentionRuleDto;
  @Nested(RetentionRuleDto, { optional: true }) execution?: RetentionRuleDto;
  @Nested(RetentionRuleDto, { optional: true }) fact?: RetentionRuleDto;
  @Nested(RetentionRuleDto, { optional: true }) preference?: RetentionRuleDto;
}

export class MemoryRetentionDto {
  @Nested(KindRetentionDto, { optional: true }) short_term?: KindRetentionDto;
  @Nested(KindRetentionDto, { optional: true }) semantic?: KindRetentionDto;
  @Nested(KindRetentionDto, { optional: true }) profile?: KindRetentionDto;
}

export class KindPromotionDto {
  @SomeOf(EVENT_TYPES, { max: MAX_TYPES }) allowed_event_types!: EventType[];
}

export class MemoryPromotionDto {
  @Nested(KindPromotionDto, { optional: true }) short_term?: KindPromotionDto;
  @Nested(KindPromotionDto, { optional: true }) semantic?: KindPromotionDto;
  @Nested(KindPromotionDto, { optional: true }) profile?: KindPromotionDto;
}

/** The policy fields of a request; SPEC M7 gives the defaults. */
export class PolicyDto {
  @OneOf(WRITE_POLICIES, {
    optional: true,
    description: 'Default `normal`: everything except plain context becomes a semantic item.',
  })
  write_policy?: WritePolicy;

  @OneOf(FORGET_POLICIES, {
    optional: true,
    description:
      'Default `decay`: items expire by type, after 12 to 60 ticks. `ttl`: after 25 ticks.',
  })
  forget_policy?: ForgetPolicy;

  @SomeOf(EVENT_TYPES, {
    optional: true,
    max: MAX_TYPES,
    description: 'If not empty, only these types are written.',
  })
  allow_event_types?: EventType[];

  @SomeOf(EVENT_TYPES, { optional: true, max: MAX_TYPES }) deny_event_types?: EventType[];

  @Nested(MemoryRetentionDto, {
    optional: true,
    description: 'Rules for a kind and an event type; they override `forget_policy`.',
  })
  retention?: MemoryRetentionDto;

  @Nested(MemoryPromotionDto, {
    optional: true,
    description: 'The types that may become items of a kind.',
  })
  promotion?: MemoryPromotionDto;

  @SomeOf(AUTHORITY_ORDER, {
    optional: true,
    max: AUTHORITY_ORDER.length,
    description: 'All authorities, from the highest to the lowest; it decides conflicts.',
  })
  authority_order?: Authority[];

  @Flag({ optional: true }) allow_cross_phase_recall?: boolean;

  @Whole({
    optional: true,
    min: 1,
    max: 10_000,
    description: 'The number of phases that keep their ledgers; default: all.',
  })
  max_phases?: number;

  @Flag({ optional: true }) phase_enabled?: boolean;
  @Flag({ optional: true }) diff_enabled?: boolean;

  @OneOf(RECALL_RANKINGS, {
    optional: true,
    description:
      'How a recall ranks semantic items: `overlap` (the default), or `relevance`, as a search does.',
  })
  ranking?: RecallRanking;

  @Nested(SpacesDto, { optional: true }) spaces?: SpacesDto;
  @Nested(PrivacyDto, { optional: true }) privacy?: PrivacyDto;
}

export class PhaseDto {
  @Text({ min: 1, max: 256, description: 'A token that differs from the last one starts a phase.' })
  token!: string;

  @Text({ optional: true, min: 1, max: 128 }) name?: string;
  @Text({ optional: true, min: 1, max: 128 }) reason?: string;
}

export class PhaseDiffDto {
  @Text({ min: 1, max: 64 }) from!: string;
  @Text({ min: 1, max: 64 }) to!: string;

  @OneOf(SPACES, { optional: true, description: 'Default `session`.' })
  space?: Space;
}

/** The fields that both requests share (SPEC M20). */
export abstract class MemoryWrite<Body> extends WriteRequest<Body> {
  @Text({ min: 1, max: 128, description: 'Shown as `ai_profile` in every trace.' })
  assistant!: string;

  @Text({ max: 128 }) session_id!: string;

  @UserIdText({
    optional: true,
    description: 'Without a user_id, the session takes the user’s place.',
  })
  user_id?: string;

  @Text({
    optional: true,
    min: 1,
    max: 4_096,
    description: 'An absolute POSIX path. Without it, the request uses no project store.',
  })
  project_root?: string;

  @Nested(MemorySettingsDto) memory!: MemorySettingsDto;
  @Nested(PolicyDto, { optional: true }) policy?: PolicyDto;
  @Nested(PhaseDto, { optional: true }) phase?: PhaseDto;
}

const EXAMPLE = {
  ...{ assistant: 'guide', session_id: 'trip-1', user_id: 'ada' },
  memory: { short_term: 10, semantic: true, profile: true },
} as const;

@Describes({
  summary: 'Recall items before a model call, with a trace of every decision (M16)',
  roles: { own: ['agent'], of: 'session', all: ['admin'] },
  example: { ...EXAMPLE, query: 'Which seat?' },
  answers: [200, RecalledDto],
  fails: ['NOT_FOUND', 'PRIVACY_BLOCKED'],
})
export class RecallMemory extends MemoryWrite<RecalledDto> {
  @Text({ max: TURN_TEXT }) query!: string;

  @Flag({
    optional: true,
    description:
      'False: no trace is answered, and nothing is recorded where nothing changed. Default true.',
  })
  trace?: boolean;
}

const MAX_COUNT = Number.MAX_SAFE_INTEGER;

export class TextAlteredDto {
  @Whole({ min: 0, max: MAX_COUNT, description: 'Characters that were replaced.' })
  replaced!: number;

  @Whole({ min: 0, max: MAX_COUNT, description: 'Characters that were cut.' })
  cut!: number;
}

export class ToolEventsAlteredDto extends TextAlteredDto {
  @Whole({ min: 0, max: MAX_COUNT, description: 'Entries that were left out.' })
  left_out!: number;
}

export class TurnAlteredDto {
  @Nested(TextAlteredDto, { optional: true }) user_text?: TextAlteredDto;
  @Nested(TextAlteredDto, { optional: true }) ai_text?: TextAlteredDto;
  @Nested(ToolEventsAlteredDto, { optional: true }) tool_events?: ToolEventsAlteredDto;
}

@Describes({
  summary: 'Record a turn after a model call, with a trace of every decision (M18)',
  roles: { own: ['agent'], of: 'session', all: ['admin'] },
  example: { ...EXAMPLE, user_text: 'Which seat?', ai_text: 'The one at the window.' },
  answers: [201, RecordedInteractionDto],
  fails: ['NOT_FOUND', 'PRIVACY_BLOCKED'],
})
export class RecordMemory extends MemoryWrite<RecordedInteractionDto> {
  @Text({ max: TURN_TEXT }) user_text!: string;
  @Text({ max: TURN_TEXT }) ai_text!: string;

  @JsonList({
    optional: true,
    max: TOOL_EVENTS.count,
    description: 'At most 64 KiB as canonical JSON.',
  })
  tool_events?: Json[];

  @Nested(TurnAlteredDto, {
    optional: true,
    description: 'What the caller replaced or cut to store the turn. It is recorded, and no item.',
  })
  turn_altered?: TurnAlteredDto;

  @Nested(PhaseDiffDto, { optional: true }) phase_diff?: PhaseDiffDto;
}

import type { Json, JsonObject } from '#domain/json.js';
import type { ReplayMode } from '#domain/replay/stream-replay.js';
import {
  MAX_COMPONENT_LENGTH,
  MAX_COMPONENTS,
  MAX_KEY_LENGTH,
  MAX_TTL_SECONDS,
} from '#domain/note/limits.js';
import {
  AnyJson,
  AnyObject,
  EventNumber,
  OneOf,
  OwnerText,
  Text,
  TextList,
  Whole,
} from '../../platform/http/fields.js';

const COMPONENTS = { max: MAX_COMPONENTS, maxLength: MAX_COMPONENT_LENGTH };
const KEY = { min: 1, max: MAX_KEY_LENGTH };
const CURSOR = {
  optional: true,
  max: 16_000,
  description: 'The next_cursor of the previous page.',
};

/** Whose notes a request concerns. */
export class OwnerDto {
  @OwnerText(
    '`user:<id>`, or `sub:<sub of an agent without a user>`; default: the caller. Only auditors, admins and the council read others’ notes, in which personal data is redacted.',
  )
  owner?: string;
}

export class PutNoteDto extends OwnerDto {
  @TextList({
    ...COMPONENTS,
    description: `1 to ${MAX_COMPONENTS} components of at most ${MAX_COMPONENT_LENGTH} characters.`,
  })
  namespace!: string[];

  @Text(KEY)
  key!: string;

  @AnyJson({ description: 'At most 64 KB as canonical JSON.' })
  value!: Json;

  @EventNumber({
    optional: true,
    description:
      'The put fails with VERSION_CONFLICT if the note has another version; 0: it must not exist.',
  })
  if_version?: number;

  @Whole({
    optional: true,
    min: 1,
    max: MAX_TTL_SECONDS,
    description: 'The note expires so many seconds after this put. Default: never.',
  })
  ttl_seconds?: number;
}

/** The name of a note in a query string. */
export class DeleteNoteQuery extends OwnerDto {
  @TextList({ ...COMPONENTS, description: 'One parameter for each component, in order.' })
  namespace!: string[];

  @Text(KEY)
  key!: string;

  @EventNumber({
    optional: true,
    description: 'The deletion fails with VERSION_CONFLICT if the note has another version.',
  })
  if_version?: number;
}

/** Names one note: by namespace and key, or by its stream. */
export class NoteNameDto extends OwnerDto {
  @TextList({ ...COMPONENTS, optional: true, description: 'The components in order.' })
  namespace?: string[];

  @Text({ ...KEY, optional: true })
  key?: string;

  @Text({
    optional: true,
    pattern: /^note-[0-9a-f]{64}$/,
    max: 69,
    description: 'The note’s stream, in place of namespace and key.',
  })
  stream?: string;
}

export class GetNoteQuery extends NoteNameDto {
  @EventNumber({
    optional: true,
    description: 'The note as it was at this version; default: the current one (SPEC X3).',
  })
  version?: number;

  @OneOf(['true'], {
    optional: true,
    description:
      'Shows sealed personal data, to admins and the council only. Each such read is recorded in their audit stream.',
  })
  unredacted?: 'true';
}

export class NoteReplayDto extends NoteNameDto {
  @OneOf(['audit', 'strict'], { optional: true })
  mode?: ReplayMode;
}

export class NoteHistoryDto extends NoteNameDto {
  @Whole({ optional: true, min: 1, max: 100, description: 'The versions in a page; default: 20.' })
  limit?: number;

  @EventNumber({ optional: true, description: 'The next_cursor of the previous page.' })
  cursor?: number;
}

export class ListNotesDto extends OwnerDto {
  @TextList({
    ...COMPONENTS,
    optional: true,
    description: 'Only notes whose namespace begins with these components. Default: all.',
  })
  prefix?: string[];

  @Whole({
    optional: true,
    min: 0,
    max: MAX_COMPONENTS,
    description: 'The most components that a namespace may have beyond the prefix. Default: any.',
  })
  depth?: number;

  @AnyObject({
    optional: true,
    description:
      'JSON Pointer into the value → conditions, such as `{"/color": {"eq": "red"}}`; one of eq, ne, gt, gte, lt, lte.',
  })
  filter?: JsonObject;

  @Whole({ optional: true, min: 1, max: 1_000, description: 'The notes in a page; default: 100.' })
  limit?: number;

  @Text(CURSOR)
  cursor?: string;
}

export class ListNamespacesDto extends OwnerDto {
  @TextList({
    ...COMPONENTS,
    optional: true,
    description: 'The first components; `*` stands for any one.',
  })
  prefix?: string[];

  @TextList({
    ...COMPONENTS,
    optional: true,
    description: 'The last components; `*` stands for any one.',
  })
  suffix?: string[];

  @Whole({
    optional: true,
    min: 1,
    max: MAX_COMPONENTS,
    description: 'Longer namespaces are cut to so many components. Default: they are not cut.',
  })
  max_depth?: number;

  @Whole({
    optional: true,
    min: 1,
    max: 1_000,
    description: 'The namespaces in a page; default: 100.',
  })
  limit?: number;

  @Text(CURSOR)
  cursor?: string;
}

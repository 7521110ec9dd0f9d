import { MAX_TAG_LENGTH, MAX_TAGS } from '#domain/memories/limits.js';
import { MAX_TTL_SECONDS } from '#domain/time-to-live.js';
import { Text, TextList, UserIdText, Whole } from '../platform/http/fields.js';

/** The person whose memories a request concerns. */
export const Person = (): PropertyDecorator =>
  UserIdText({
    optional: true,
    description:
      'The person, for an agent’s token without a user; default: the token’s user, or else the agent itself. Auditors, admins and the council read others’ memories, redacted.',
  });

export const Tags = (description: string): PropertyDecorator =>
  TextList({ optional: true, max: MAX_TAGS, maxLength: MAX_TAG_LENGTH, description });

export const ExpiresIn = (): PropertyDecorator =>
  Whole({
    optional: true,
    min: 1,
    max: MAX_TTL_SECONDS,
    description: 'The memories lapse after so many seconds. Default: never.',
  });

export const MemoryId = (): PropertyDecorator =>
  Text({
    min: 1,
    max: 64,
    pattern: /^mem:[0-9a-f-]{36}$/,
    form: 'be the id of a memory, as answers have it: mem: and a UUID',
    description: 'The id of a memory.',
  });

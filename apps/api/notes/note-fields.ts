import { MAX_COMPONENT_LENGTH, MAX_COMPONENTS, MAX_KEY_LENGTH } from '#domain/note/limits.js';
import { OwnerText, Text, TextList } from '../platform/http/fields.js';
import { ReadRequest } from '../platform/http/request.js';

export const COMPONENTS = { max: MAX_COMPONENTS, maxLength: MAX_COMPONENT_LENGTH };
export const KEY = { min: 1, max: MAX_KEY_LENGTH };
export const CURSOR = {
  optional: true,
  max: 16_000,
  description: 'The next_cursor of the previous page.',
};

/** Whose notes a request concerns. */
export const NoteOwner = (): PropertyDecorator =>
  OwnerText(
    '`user:<id>`, or `sub:<sub of an agent without a user>`; default: the caller. Only auditors, admins and the council read others’ notes, in which personal data is redacted.',
  );

/** A read of one note, which is named by namespace and key, or by its stream. */
export abstract class NoteRead<Body> extends ReadRequest<Body> {
  @NoteOwner() owner?: string;

  @TextList({ ...COMPONENTS, min: 1, optional: true, description: 'The components in order.' })
  namespace?: string[];

  @Text({ ...KEY, optional: true }) key?: string;

  @Text({
    optional: true,
    pattern: /^note-[0-9a-f]{64}$/,
    form: 'be the stream of a note, as answers have it: note- and 64 hex digits',
    max: 69,
    description: 'The note’s stream, in place of namespace and key.',
  })
  stream?: string;
}

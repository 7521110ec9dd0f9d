import { MAX_CHARACTERS } from '#domain/free-text.js';
import { Text } from '../platform/http/fields.js';

/** The id of a request to the council, in the path. */
export const RequestId = (): PropertyDecorator =>
  Text({
    min: 1,
    max: 128,
    pattern: /^[A-Za-z0-9._:-]{1,128}$/,
    form: 'be the request_id of an answer',
  });

/** A text of a proposer or a reviewer. */
export const Words = (): PropertyDecorator => Text({ min: 1, max: MAX_CHARACTERS });

/** The roles that review proposals (SPEC G2). */
export const REVIEWERS = { all: ['council', 'admin'] } as const;

/** The roles that read dossiers, receipts and figures. */
export const OVERSIGHT = { all: ['council', 'admin', 'auditor'], of: 'request' } as const;

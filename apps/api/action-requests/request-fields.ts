import { Text } from '../platform/http/fields.js';

/** The id of a request to the council, in the path. */
export const RequestId = (): PropertyDecorator =>
  Text({ min: 1, max: 128, pattern: /^[A-Za-z0-9._:-]{1,128}$/ });

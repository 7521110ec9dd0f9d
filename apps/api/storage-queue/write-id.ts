import { Text } from '../platform/http/fields.js';

/** The command_id of a waiting write, in the path. */
export const WriteId = (): PropertyDecorator =>
  Text({ min: 1, max: 64, pattern: /^[0-9a-f-]{1,64}$/, description: 'The write’s command_id.' });

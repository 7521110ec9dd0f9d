import { OwnerText, Text } from '../platform/http/fields.js';

export const INDEX = { min: 0, max: 2_147_483_647 };

export const ConversationId = (): PropertyDecorator =>
  Text({
    min: 1,
    max: 256,
    pattern: /^(?!\.{1,2}$)[^\p{Cc}\p{Cs}]+$/u,
    form: 'have no control characters and half pairs, and not be . or ..',
    description: 'The id that the caller chose. It is not personal data.',
  });

export const ConversationOwner = (): PropertyDecorator =>
  OwnerText(
    'For auditors, admins and the council: whose conversation to read, `user:<id>` or `sub:<sub of an agent without a user>`.',
  );

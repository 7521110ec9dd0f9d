import { ERASURE_REASONS, type ErasureReason } from '#domain/action-request/erasure.js';
import { subjectForms } from '#domain/privacy/subject.js';
import { ERASURE_RECEIPT } from '#domain/replay/receipt.js';
import {
  ApiField,
  INSTANT,
  list,
  one,
  oneOf,
  orNull,
  TEXT,
  WHOLE,
} from '../platform/http/answer-fields.js';

/** The values that nobody can open any more. */
export class ErasureManifestDto {
  @ApiField(WHOLE, { description: 'The number of events with such values.' })
  readonly events!: number;

  @ApiField(WHOLE) readonly streams!: number;
  @ApiField(orNull(INSTANT)) readonly first_recorded_at!: string | null;
  @ApiField(orNull(INSTANT)) readonly last_recorded_at!: string | null;

  @ApiField(TEXT, {
    description:
      'sha256 over the canonical JSON of [stream, number, event hash] of each event and a line feed, in log order.',
  })
  readonly hash!: string;
}

export class ErasureEventDto {
  @ApiField(TEXT) readonly stream!: string;
  @ApiField(WHOLE) readonly number!: number;
  @ApiField(TEXT) readonly position!: string;
  @ApiField(TEXT) readonly hash!: string;
}

/** Proves to a subject that the keys of its data were destroyed. */
export class ErasureReceiptDto {
  @ApiField(oneOf(ERASURE_RECEIPT)) readonly kind!: string;
  @ApiField(TEXT) readonly request_id!: string;

  @ApiField(TEXT, { description: `${subjectForms('`')}.` })
  readonly subject!: string;

  @ApiField(oneOf(...ERASURE_REASONS)) readonly reason_code!: ErasureReason;

  @ApiField(list(TEXT), { description: 'The ids of the destroyed keys.' })
  readonly destroyed_keys!: readonly string[];

  @ApiField(one(ErasureManifestDto)) readonly manifest!: ErasureManifestDto;
  @ApiField(INSTANT) readonly erased_at!: string;

  @ApiField(one(ErasureEventDto), { description: 'The deletion_event in the log.' })
  readonly event!: ErasureEventDto;

  @ApiField(TEXT, { description: 'The thumbprint of the key that signed the receipt.' })
  readonly key_id!: string;

  @ApiField(TEXT, { description: 'The public key, as the field `x` of its JWK.' })
  readonly public_key!: string;

  @ApiField(TEXT, {
    description: 'An Ed25519 signature over the canonical JSON of the other fields, as hex digits.',
  })
  readonly signature!: string;
}

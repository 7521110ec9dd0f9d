import { ApiSchema } from '@nestjs/swagger';
import type { JsonObject } from '#domain/json.js';
import { ApiField, JSON_OBJECT, one, oneOf, TEXT, WHOLE } from '../platform/http/answer-fields.js';

@ApiSchema({ description: 'An event as the log stores it.' })
export class ReceiptEventDto {
  @ApiField(TEXT) readonly stream!: string;
  @ApiField(WHOLE) readonly number!: number;
  @ApiField(TEXT) readonly position!: string;
  @ApiField(TEXT) readonly type!: string;
  @ApiField(JSON_OBJECT) readonly data!: JsonObject;

  @ApiField(JSON_OBJECT, { description: 'With `hash` and `recorded_at`.' })
  readonly metadata!: JsonObject;
}

/** An event, signed so that it can be checked without the service. */
abstract class SignedEvent {
  @ApiField(TEXT, { description: 'The hash of the event before it; 64 zeros for the first one.' })
  readonly prev!: string;

  @ApiField(one(ReceiptEventDto)) readonly event!: ReceiptEventDto;

  @ApiField(TEXT, { description: 'The id of the key in /.well-known/jwks.json.' })
  readonly key_id!: string;

  @ApiField(TEXT) readonly public_key!: string;

  @ApiField(TEXT, {
    description:
      'Ed25519 over the canonical JSON (RFC 8785) of all other fields, as 128 hex digits.',
  })
  readonly signature!: string;
}

/** An event of a request, signed so that it can be checked without the service. */
export class ReceiptDto extends SignedEvent {
  @ApiField(oneOf('mace-receipt-1')) readonly document!: 'mace-receipt-1';
  @ApiField(TEXT) readonly request_id!: string;
}

/** An event of any other stream, signed so that it can be checked without the service. */
export class StreamReceiptDto extends SignedEvent {
  @ApiField(oneOf('mace-receipt-2')) readonly document!: 'mace-receipt-2';
}

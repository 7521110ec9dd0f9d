import { Injectable } from '@nestjs/common';
import { foldUserId } from '#domain/canonical-key/canonical-key.js';
import { type NamedQuery, Postgres } from '#read-model/postgres.js';
import type { AuditEntryEvent, StoredAuditEntry, StoredConsent } from './oversight.projection.js';

const ENTRIES: NamedQuery = {
  name: 'oversight_entries',
  text: `select * from oversight.audit_entry
    where type = $1 and ($2::text is null or sub = $2) and ($3::text is null or about = $3)
      and ($4::bigint is null or position < $4)
      and position <= $8
      and ($6::text is null or about = any($7::text[])
        or (starts_with(about, 'sem-user/') and split_part(about, '/', 3) = $6))
    order by position desc limit $5`,
};

/** The streams that hold what is known about a person: the facts of an entity of scope `user`, and others by name. */
export interface StreamsOfPerson {
  readonly entity_id: string;
  readonly streams: readonly string[];
}

const CONSENTS: NamedQuery = {
  name: 'oversight_consents',
  text: `select * from oversight.consent
    where ($1::text is null or user_folded = $1)
      and ($2::text is null or ($2 = 'given') = (revoked_position is null or revoked_position > $5))
      and ($3::bigint is null or position < $3) and position <= $5
    order by position desc limit $4`,
};

/** A position behind every event. */
const NOW = 9_223_372_036_854_775_807n;

/** A list of the present, or of what the log held at a position. */
interface Listed {
  readonly asOf?: bigint | undefined;
  /** The position of the last row of the page before. */
  readonly before?: string | undefined;
  readonly limit: number;
}

export interface AuditFilter extends Listed {
  readonly type: AuditEntryEvent['type'];
  readonly sub?: string | undefined;
  /** The stream that was read, or that the command would have written. */
  readonly about?: string | undefined;
  readonly person?: StreamsOfPerson | undefined;
}

export interface ConsentFilter extends Listed {
  readonly userId?: string | undefined;
  readonly status?: 'given' | 'revoked' | undefined;
}

/**
 * Reads audit streams and consents, the newest first. All methods fail with `PostgresUnavailable` while Postgres
 * cannot answer.
 */
@Injectable()
export class OversightQueries {
  constructor(private readonly postgres: Postgres) {}

  entries(filter: AuditFilter): Promise<StoredAuditEntry[]> {
    const { type, sub, about, before, limit, person, asOf = NOW } = filter;
    const values = [type, sub ?? null, about ?? null, before ?? null, limit];
    const ofPerson = [person?.entity_id ?? null, person?.streams ?? null];
    return this.postgres.query<StoredAuditEntry>(ENTRIES, [...values, ...ofPerson, asOf]);
  }

  async consents(filter: ConsentFilter): Promise<StoredConsent[]> {
    const { userId, status, before, limit, asOf = NOW } = filter;
    const user = userId === undefined ? null : foldUserId(userId);
    const values = [user, status ?? null, before ?? null, limit, asOf];
    const rows = await this.postgres.query<StoredConsent>(CONSENTS, values);
    return rows.map((row) => consentAt(row, asOf));
  }
}

/** Returns a consent as it was at a position. */
function consentAt(row: StoredConsent, asOf: bigint): StoredConsent {
  const isLater = (position: string | null): boolean =>
    position !== null && BigInt(position) > asOf;
  return {
    ...row,
    ...(isLater(row.revoked_position) && { revoked_at: null, revoked_position: null }),
    ...(isLater(row.approved_position) && { approved_by: null, approved_position: null }),
  };
}

import { codeOf, isPassing } from './postgres-unavailable.js';
import type { Postgres } from './postgres.js';
import type { ProjectionTransaction } from './projection.js';

/**
 * What the service's own connections to Postgres act as: it reads the read models and changes none; signed
 * logs it may read and insert, and nothing else (SPEC L3). The tables belong to the user of the URL, in whose
 * name the projections write, migrate, rebuild and heal.
 */
export const API_ROLE = 'mace_api';

// Any constant; the lock is the database's own.
const LOCK_KEY = 7_263_451_103;

/** Roles are the server's, not the database's: another one may make it at the same moment. */
const CREATE_ROLE = `do $$
begin
  if not exists (select from pg_roles where rolname = '${API_ROLE}') then
    create role ${API_ROLE} nologin;
  end if;
exception when duplicate_object or unique_violation then null;
end $$`;

/** What the service keeps beside the read models, such as its queue, it makes for itself. */
const GRANT_CREATE = `do $$
begin
  if not has_database_privilege('${API_ROLE}', current_database(), 'create') then
    execute format('grant create on database %I to ${API_ROLE}', current_database());
  end if;
end $$`;

const INSUFFICIENT_PRIVILEGE = '42501';

const canBeTaken = async (postgres: Postgres): Promise<boolean> => {
  try {
    await postgres.transaction(async (tx) => {
      await tx.query(`set local role ${API_ROLE}`);
    });
    return true;
  } catch (cause) {
    if (isPassing(cause)) throw cause;
    return false;
  }
};

/**
 * Makes the role where it is missing. False where this user of Postgres may not make it, or may not take it:
 * then the service goes on with all rights of that user. Fails with `PostgresUnavailable`.
 */
export async function prepareApiRole(postgres: Postgres): Promise<boolean> {
  try {
    await postgres.transaction(async (tx) => {
      await tx.query('select pg_advisory_xact_lock($1)', [LOCK_KEY]);
      await tx.query(CREATE_ROLE);
      await tx.query(GRANT_CREATE);
    });
    if (await canBeTaken(postgres)) return true;
    await postgres.query(`grant ${API_ROLE} to current_user`);
  } catch (cause) {
    if (codeOf(cause) === INSUFFICIENT_PRIVILEGE) return false;
    throw cause;
  }
  return canBeTaken(postgres);
}

/** Lets the role read a schema's tables, if there is the role. */
export const grantRead = (tx: ProjectionTransaction, schema: string): Promise<object[]> =>
  tx.query(`do $$
begin
  if exists (select from pg_roles where rolname = '${API_ROLE}') then
    grant usage on schema ${schema} to ${API_ROLE};
    grant select on all tables in schema ${schema} to ${API_ROLE};
  end if;
end $$`);

/** Beside the read models themselves, the role may ask for a rebuild. */
export const grantManagement = async (tx: ProjectionTransaction): Promise<void> => {
  await grantRead(tx, 'read_models');
  await tx.query(`do $$
begin
  if exists (select from pg_roles where rolname = '${API_ROLE}') then
    grant update (rebuild_requested) on read_models.projection to ${API_ROLE};
  end if;
end $$`);
};

import { isForbidden, isPassing } from './postgres-unavailable.js';
import type { Postgres } from './postgres.js';
import type { ProjectionTransaction } from './projection.js';

/**
 * The Postgres role of the service's own connections. It can read the read models, and can only read and
 * insert signed logs (SPEC L3). The tables belong to the user in the URL; the projections write,
 * migrate, rebuild and restore rows as that user.
 */
export const API_ROLE = 'mace_api';

/**
 * The Postgres role of the connections to the subjects' keys, which own the schema `subject_keys`. No other role
 * of the service has a right to it (SPEC P5).
 */
export const KEYS_ROLE = 'mace_keys';

type Role = typeof API_ROLE | typeof KEYS_ROLE;

// The number is arbitrary. An advisory lock is valid in one database only, so programs in other
// databases can use the same number.
const LOCK_KEY = 7_263_451_103;

/**
 * Creates the role. Roles belong to the whole server, so the service of another database may create it
 * at the same moment.
 */
const createRole = (role: Role): string => `do $$
begin
  if not exists (select from pg_roles where rolname = '${role}') then
    create role ${role} nologin;
  end if;
exception when duplicate_object or unique_violation then null;
end $$`;

/** Lets the role create tables beside the read models, such as the storage queue. */
const grantCreate = (role: Role): string => `do $$
begin
  if not has_database_privilege('${role}', current_database(), 'create') then
    execute format('grant create on database %I to ${role}', current_database());
  end if;
end $$`;

const canBeUsed = async (postgres: Postgres, role: Role): Promise<boolean> => {
  try {
    await postgres.transaction(async (tx) => {
      await tx.query(`set local role ${role}`);
    });
    return true;
  } catch (cause) {
    if (isPassing(cause)) throw cause;
    return false;
  }
};

/**
 * Creates a role if it does not exist. Returns false if the Postgres user cannot create or use it; the
 * service then keeps the rights of that user. Fails with `PostgresUnavailable`.
 */
export async function prepareRole(postgres: Postgres, role: Role): Promise<boolean> {
  try {
    await postgres.transaction(async (tx) => {
      await tx.query('select pg_advisory_xact_lock($1)', [LOCK_KEY]);
      await tx.query(createRole(role));
      await tx.query(grantCreate(role));
    });
    if (await canBeUsed(postgres, role)) return true;
    await postgres.query(`grant ${role} to current_user`);
  } catch (cause) {
    if (isForbidden(cause)) return false;
    throw cause;
  }
  return canBeUsed(postgres, role);
}

/** Lets the role, if it exists, read a schema's tables. */
export const grantRead = (tx: ProjectionTransaction, schema: string): Promise<object[]> =>
  tx.query(`do $$
begin
  if exists (select from pg_roles where rolname = '${API_ROLE}') then
    grant usage on schema ${schema} to ${API_ROLE};
    grant select on all tables in schema ${schema} to ${API_ROLE};
  end if;
end $$`);

/** Lets the role, if it exists, read the management tables and request a rebuild. */
export const grantManagement = async (tx: ProjectionTransaction): Promise<void> => {
  await grantRead(tx, 'read_models');
  await tx.query(`do $$
begin
  if exists (select from pg_roles where rolname = '${API_ROLE}') then
    grant update (rebuild_requested) on read_models.projection to ${API_ROLE};
  end if;
end $$`);
};

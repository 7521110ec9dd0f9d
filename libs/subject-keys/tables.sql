-- The keys that seal personal data (SPEC P5). Not a read model: the keys are not in the log, so they must be
-- backed up. The schema belongs to the role mace_keys; the role of the service's other connections has no
-- right to it.
create schema if not exists subject_keys;

create table if not exists subject_keys.subject_key (
  -- `<subject>#<version>`, as in the header of each sealed value.
  kid text collate "C" primary key,
  subject text collate "C" not null,
  version int not null,
  -- The key, sealed with the sealing key of the installation; null once the key is destroyed.
  wrapped text,
  -- The id of the sealing key.
  wrapped_by text not null,
  created_at timestamptz not null default now(),
  destroyed_at timestamptz,
  -- The request whose erasure destroyed the key.
  destroyed_by text,
  unique (subject, version)
);

-- The erasures that are about to name a key in their order, or have named it. The log says which have.
create table if not exists subject_keys.announced_erasure (
  kid text collate "C" not null,
  request_id text not null,
  primary key (kid, request_id)
);

-- Counts destructions, so that other processes notice them.
create table if not exists subject_keys.destruction (
  only_row boolean primary key default true check (only_row),
  count bigint not null
);
insert into subject_keys.destruction (count) values (0) on conflict do nothing;

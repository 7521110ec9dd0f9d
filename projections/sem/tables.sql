-- One row per SEM stream, including streams with only claims or a deletion: `revision` shows a read whether
-- the row includes the stream's last event (SPEC S6).
create table fact (
  key text collate "C" primary key,
  scope text collate "C" not null,
  entity_id text collate "C" not null,
  revision int not null,
  -- The ordinal of the SEM event that put or deleted the current value; null while the stream has only
  -- claims.
  n bigint,
  is_current boolean not null default false,
  -- Canonical JSON of the value, or of its sealed form (SPEC S8).
  held text,
  is_sealed boolean not null default false,
  timestamp text,
  source text,
  notes text,
  meta text,
  -- The last event that the row shows, and the row's seal (libs/read-model/sealed-table.ts).
  stream text collate "C" not null,
  number int not null,
  event_hash text not null,
  seal bytea not null
);

-- One row per SEM event in log order, so that a read at a snapshot of n events is always exact (SPEC S8).
create table history (
  n bigint primary key,
  key text collate "C" not null,
  revision int not null,
  type text not null,
  -- A put or deletion that won when it was written: it is the current state until the next winning one.
  is_decisive boolean not null,
  held text,
  is_sealed boolean not null,
  timestamp text,
  source text,
  notes text,
  meta text,
  actor text not null,
  recorded_at text not null,
  -- The last event that the row shows, and the row's seal (libs/read-model/sealed-table.ts).
  stream text collate "C" not null,
  number int not null,
  event_hash text not null,
  seal bytea not null
);
create index history_of_key on history (key, n desc) where is_decisive;

-- The raw user id that owns a slug (SPEC I9), for reads while the log is unreachable.
create table owner (
  slug text collate "C" primary key,
  raw_id text not null,
  -- The last event that the row shows, and the row's seal (libs/read-model/sealed-table.ts).
  stream text collate "C" not null,
  number int not null,
  event_hash text not null,
  seal bytea not null
);

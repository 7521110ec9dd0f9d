-- The entries (000 §7, SPEC E1, E5) with their place in the log: `ordinal` counts from 1, and `chain` is h(n)
-- of SPEC J1.
create table entry (
  ordinal int primary key,
  episodic_id text collate "C" not null unique,
  job_seed text collate "C" not null,
  created_seeded_ts text collate "C" not null,
  summary text not null,
  payload jsonb,
  sealed_payload jsonb,
  evidence jsonb not null,
  provenance jsonb not null,
  source text not null,
  type text not null,
  owner_sub text not null,
  -- Folded: case and an initial `user_` do not matter (SPEC I9).
  owner_user_id text collate "C",
  chain text not null,
  stream text not null,
  number int not null,
  -- Distinct and sorted (000 §11); `posting` has the number of occurrences in the summary.
  tokens text[] collate "C" not null,
  -- The hash of the entry's event, and the row's seal (libs/read-model/sealed-table.ts).
  event_hash text not null,
  seal bytea not null
);
create index entry_by_created_seeded_ts on entry (created_seeded_ts);
create index entry_by_token on entry using gin (tokens);
create index entry_by_job on entry (job_seed);
create unique index entry_by_chain on entry (chain);

-- The inverted index for ranking. `block` is ordinal >> 10. `data` has 4 bytes for each entry of the block
-- with this token: the place in the block (10 bits), the number of occurrences in the summary (11 bits), and
-- the number of tokens in the summary (11 bits).
create table posting (
  token text collate "C" not null,
  block int not null,
  data bytea not null,
  primary key (token, block)
);
alter table posting alter column data set storage external;

-- The data of each entry of a block that filters and ties need, 12 bytes each: a number in the order of
-- created_seeded_ts (float64), and the ordinal of the first entry of the same owner_user_id (uint32), 0 if
-- there is no owner.
create table block (
  block int primary key,
  data bytea not null
);
alter table block alter column data set storage external;

-- The episodes whose payloads are shown to nobody, because their consent was revoked beside the write (SPEC P4).
create table withheld (
  episodic_id text collate "C" primary key,
  consent_id text not null,
  -- The last event that the row shows, and the row's seal (libs/read-model/sealed-table.ts).
  stream text collate "C" not null,
  number int not null,
  event_hash text not null,
  seal bytea not null
);

create table viewer (
  user_id text collate "C" primary key,
  code int not null,
  -- The last event that the row shows, and the row's seal (libs/read-model/sealed-table.ts).
  stream text collate "C" not null,
  number int not null,
  event_hash text not null,
  seal bytea not null
);

-- One row per store of the Memory Contract: memory-<space>:<owner> (SPEC M1).
create table store (
  stream text collate "C" primary key,
  space text not null,
  owner text collate "C" not null,
  -- The last tick of an item or a phase.
  tick bigint not null,
  -- The number of the stream's last event.
  revision int not null,
  -- The last event that the row shows, and the row's seal (libs/read-model/sealed-table.ts).
  number int not null,
  event_hash text not null,
  seal bytea not null
);

create table item (
  id text collate "C" primary key,
  stream text collate "C" not null,
  kind text not null,
  created_at bigint not null,
  dedup_key text collate "C" not null,
  -- The previous summary, whose turns come before this one's; '' for a first summary (SPEC M11).
  summary_after text collate "C",
  -- Canonical JSON of the item, and of the retention rule at its storage (SPEC M10).
  item text not null,
  retention text not null,
  -- The numbers of the events that stored and deleted the item, which give the ledger of any phase (SPEC
  -- M15).
  stored_number int not null,
  deleted_number int,
  deleted_reason text,
  replaced_by text collate "C",
  -- The last event that the row shows, and the row's seal (libs/read-model/sealed-table.ts).
  number int not null,
  event_hash text not null,
  seal bytea not null
);
create index item_by_stream on item (stream, stored_number);
create index summary_by_stream on item (stream) where summary_after is not null;

create table phase (
  stream text collate "C" not null,
  phase_index int not null,
  phase_id text not null,
  started_at bigint not null,
  reason text not null,
  name text,
  -- The number of the event that started the phase.
  number int not null,
  -- The hash of that event, and the row's seal (libs/read-model/sealed-table.ts).
  event_hash text not null,
  seal bytea not null,
  primary key (stream, phase_index)
);

-- Each policy once, under the hash that events refer to (SPEC M7).
create table policy (
  policy_hash text collate "C" primary key,
  policy text not null,
  -- The first event that the row shows, and the row's seal (libs/read-model/sealed-table.ts).
  stream text collate "C" not null,
  number int not null,
  event_hash text not null,
  seal bytea not null
);

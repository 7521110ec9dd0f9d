-- The entries that a search finds (SPEC Q1), with their place in the index: a partition has the entries of one
-- kind that the same callers may read, and `ordinal` counts them from 0, in log order.
create table entry (
  partition int not null,
  ordinal int not null,
  kind text not null,
  scope text collate "C" not null,
  id text collate "C" not null,
  title text not null,
  body text not null,
  -- ISO 8601 in UTC.
  time text not null,
  -- What the entry is in: its job, its store, or its namespace.
  container text collate "C",
  space text,
  note jsonb,
  -- The positions in the log at which the entry appeared and disappeared.
  appeared bigint not null,
  died bigint,
  -- The event by which the entry appeared.
  source_number int not null,
  source_hash text not null,
  stream text collate "C" not null,
  number int not null,
  -- The last event that the row shows, and the row's seal (libs/read-model/sealed-table.ts).
  event_hash text not null,
  seal bytea not null,
  primary key (partition, ordinal)
);
create index entry_alive on entry (stream, id) where died is null;
create index entry_by_id on entry (id);

create table partition (
  id int primary key,
  kind text not null,
  space text not null,
  scope text collate "C" not null,
  -- The number of entries, alive or not.
  entries int not null,
  unique (scope, kind, space)
);

-- The inverted index. `block` is ordinal >> 10. `data` has 3 bytes for each entry of the block with this term: its
-- place in the block (uint16), and the frequency of the term (uint8).
create table posting (
  partition int not null,
  term text collate "C" not null,
  block int not null,
  data bytea not null,
  primary key (partition, term, block)
);
alter table posting alter column data set storage external;

-- What the ranking needs of each entry of a block, in 29 bytes: the length of its text (uint32), the code of its
-- container (uint32) and of its label (uint32), flags (uint8), its time in milliseconds (float64), and the position at
-- which it appeared (float64). `deaths` has 10 bytes for each entry that disappeared: its place in the block (uint16),
-- and the position (float64). `changed` is the position of the last event that changed the block.
create table block (
  partition int not null,
  block int not null,
  data bytea not null,
  deaths bytea not null,
  changed bigint not null,
  primary key (partition, block)
);
alter table block alter column data set storage external;
create index block_by_change on block (partition, changed);

-- The codes of containers and labels: the ordinal of the first entry that has it, plus 1.
create table container (
  partition int not null,
  name text collate "C" not null,
  code int not null,
  session_id text collate "C",
  primary key (partition, name)
);
create index container_by_session on container (session_id, partition);

create table label (
  partition int not null,
  name text collate "C" not null,
  code int not null,
  primary key (partition, name)
);

-- The owner and the session of each job, which decide who may read its memory (SPEC I9).
create table job (
  stream text collate "C" primary key,
  owner_sub text not null,
  owner_user_id text,
  session_id text,
  number int not null,
  event_hash text not null,
  seal bytea not null
);

-- The claims that decide who may read a store of the Memory Contract (SPEC I9, M2): of a store's name by a raw id, and
-- of a session by its owner.
create table claim (
  stream text collate "C" primary key,
  raw_id text,
  owner_sub text,
  owner_user_id text,
  number int not null,
  event_hash text not null,
  seal bytea not null
);

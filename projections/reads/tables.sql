-- One row for each thing that a job recorded as read (SPEC J10): a fact by its key, an episode, an item of the Memory
-- Contract or an entry of a job by its id, and a note by its stream.
create table read (
  what text collate "C" not null,
  -- Commit position of memory_read: the order of lists, and their cursor.
  position bigint not null,
  job_seed text collate "C" not null,
  -- The owner of the job; the user is folded: case and an initial `user_` do not matter (SPEC I9).
  owner_sub text collate "C" not null,
  owner_user_id text collate "C",
  kind text not null,
  tick int not null,
  sem_snapshot_hash text not null,
  actor text not null,
  trace_id text not null,
  recorded_at text not null,
  -- The event, and the row's seal (libs/read-model/sealed-table.ts).
  stream text collate "C" not null,
  number int not null,
  event_hash text not null,
  seal bytea not null,
  primary key (what, position)
);
create index read_by_owner on read (what, owner_sub, position);

-- The owner of each job, for the rows of its reads.
create table reading_job (
  job_seed text collate "C" primary key,
  owner_sub text collate "C" not null,
  owner_user_id text collate "C",
  -- The event, and the row's seal (libs/read-model/sealed-table.ts).
  stream text collate "C" not null,
  number int not null,
  event_hash text not null,
  seal bytea not null
);

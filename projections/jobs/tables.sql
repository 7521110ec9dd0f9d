-- One row per job, for lists and dashboards. A single job is read from its stream.
create table job (
  job_seed text collate "C" primary key,
  -- Commit position of job_started: the order of lists, and their cursor.
  position bigint not null unique,
  status text not null,
  owner_sub text collate "C" not null,
  -- Folded: case and an initial `user_` do not matter (SPEC I9).
  owner_user_id text collate "C",
  session_id text collate "C",
  goal text,
  tick int not null,
  -- The number of the stream's last event.
  version int not null,
  wm_count int not null,
  cwm_count int not null,
  promotions int not null,
  episodes int not null,
  reads int not null,
  sem_snapshot_id text not null,
  episodic_snapshot_id text not null,
  brainstate_snapshot_id text not null,
  started_at text not null,
  last_event_at text not null,
  ended_at text,
  -- The last event that the row shows, and the row's seal (libs/read-model/sealed-table.ts).
  stream text collate "C" not null,
  number int not null,
  event_hash text not null,
  seal bytea not null
);
create index job_by_status on job (status, position);
create index job_by_session on job (session_id, position) where session_id is not null;
create index job_by_owner on job (owner_sub, position);

-- The counts of each tick of a job. Tick 0 covers the events before the first tick.
create table timeline (
  job_seed text collate "C" not null,
  tick int not null,
  first_number int not null,
  last_number int not null,
  first_at text not null,
  last_at text not null,
  inserted int not null,
  referenced int not null,
  promoted int not null,
  returned int not null,
  expired int not null,
  evicted int not null,
  episodes int not null,
  reads int not null,
  goals int not null,
  -- The last event that the row shows, and the row's seal (libs/read-model/sealed-table.ts).
  stream text collate "C" not null,
  number int not null,
  event_hash text not null,
  seal bytea not null,
  primary key (job_seed, tick)
);

-- The snapshots that jobs have pinned, with the number of SEM events that they cover.
create table pinned_snapshot (
  hash text collate "C" primary key,
  event_count bigint not null,
  first_job_seed text not null,
  -- The last event that the row shows, and the row's seal (libs/read-model/sealed-table.ts).
  stream text collate "C" not null,
  number int not null,
  event_hash text not null,
  seal bytea not null
);

-- The signed logs, with the columns of the Stage-0 schema. JSON is stored as canonical text, and instants as
-- signed: jsonb and timestamptz would not return the signed bytes.
create table reflective_log_stage0 (
  log_id text collate "C" primary key,
  -- Commit position of the event that made or healed the row: the order of lists, and their cursor.
  position bigint not null,
  created_at text collate "C" not null,
  source text not null,
  query_id text collate "C" not null,
  query_text_hash text not null,
  qcp_summary text not null,
  agents_invoked text not null,
  agent_outputs text not null,
  council_votes text not null,
  final_answer text not null,
  final_confidence double precision,
  repair_loops int not null,
  cache_hit boolean not null,
  sem_snapshot_hash text not null,
  runtime_metrics text not null,
  system_version text not null,
  job_seed text collate "C" not null,
  stream_head_hash text not null,
  episodic_snapshot_id text not null,
  brainstate_snapshot_id text not null,
  evidence text not null,
  redactions text not null,
  signature_key_id text not null,
  signature text not null,
  origin text not null,
  owner_sub text collate "C" not null,
  owner_user_id text,
  -- Folded: case and an initial `user_` do not matter (SPEC I9).
  owner_user_folded text collate "C",
  -- The last event that the row shows, and the row's seal (libs/read-model/sealed-table.ts).
  stream text collate "C" not null,
  number int not null,
  event_hash text not null,
  seal bytea not null
);
create index reflective_log_by_position on reflective_log_stage0 (position);
create index reflective_log_by_query on reflective_log_stage0 (query_id);
create index reflective_log_by_created_at on reflective_log_stage0 (created_at);
create index reflective_log_by_job on reflective_log_stage0 (job_seed);
create index reflective_log_by_owner on reflective_log_stage0 (owner_sub, position);

-- The service can only read and insert (SPEC L3).
do $$
begin
  if exists (select from pg_roles where rolname = 'mace_api') then
    grant insert on reflective_log_stage0 to mace_api;
  end if;
end $$;

-- Quarantined rows and submissions, for people to inspect (SPEC L5).
create table quarantine (
  quarantine_id text collate "C" primary key,
  position bigint not null unique,
  at text not null,
  fault text not null,
  log_id text collate "C",
  reason text not null,
  -- Canonical JSON of the finding, after the privacy gate.
  detail text not null,
  -- The last event that the row shows, and the row's seal (libs/read-model/sealed-table.ts).
  stream text collate "C" not null,
  number int not null,
  event_hash text not null,
  seal bytea not null
);

-- Human reviews that a log's owner requested (SPEC A3).
create table review (
  review_id text collate "C" primary key,
  position bigint not null unique,
  log_id text collate "C" not null,
  requested_at text not null,
  requested_by_sub text not null,
  requested_by_user_id text,
  reason text not null,
  resolved_at text,
  amendment_id text,
  effect text,
  -- The last event that the row shows, and the row's seal (libs/read-model/sealed-table.ts).
  stream text collate "C" not null,
  number int not null,
  event_hash text not null,
  seal bytea not null
);
create index review_open on review (position) where resolved_at is null;

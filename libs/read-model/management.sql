-- Data that outlives a read model's own schema. Each read model has its own schema, which includes its
-- checkpoint, so that rows and checkpoint are always swapped together.
create schema if not exists read_models;

create table if not exists read_models.projection (
  name text primary key,
  rebuild_requested boolean not null default false,
  -- Set while a poison event stops the projection; shown in health and metrics.
  stopped_position bigint,
  stopped_stream text,
  stopped_number bigint,
  stopped_type text,
  stopped_reason text,
  -- Set while the read model is rebuilt because its rows came from another log: what the leader found.
  another_log text,
  -- True until new tables show the log up to its end for the first time.
  is_filling boolean not null default false,
  -- The log from which the read model is made.
  log_id text,
  -- host:pid of the process that leads the read model, and its last heartbeat.
  leader text,
  heartbeat_at timestamptz,
  -- The last heartbeat of a process that was started for this read model alone.
  dedicated_at timestamptz
);

-- When the rows were last compared with the log, or filled from it, and what the comparison found.
alter table read_models.projection
  add column if not exists compared_at timestamptz not null default now(),
  add column if not exists differences jsonb not null default '[]';

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
  stopped_reason text
);

-- Set while the read model is rebuilt because its rows came from another log: what the leader found.
alter table read_models.projection add column if not exists another_log text;

-- The log from which the read models are made.
create table if not exists read_models.log (
  only_row boolean primary key default true check (only_row),
  log_id text not null
);

create table if not exists read_models.owner (
  only_row boolean primary key default true check (only_row),
  process text not null,
  heartbeat_at timestamptz not null
);

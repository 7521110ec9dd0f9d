-- What outlives a read model's own schema. Each read model lives in a schema of its name, with its
-- checkpoint in the same schema, so that rows and checkpoint can neither part nor be swapped apart.
create schema if not exists read_models;

create table if not exists read_models.projection (
  name text primary key,
  rebuild_requested boolean not null default false,
  -- Set while a poison event holds the projection up: loud in health and metrics.
  stopped_position bigint,
  stopped_stream text,
  stopped_number bigint,
  stopped_type text,
  stopped_reason text
);

create table if not exists read_models.owner (
  only_row boolean primary key default true check (only_row),
  process text not null,
  heartbeat_at timestamptz not null
);

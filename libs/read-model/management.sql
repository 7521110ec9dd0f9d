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

alter table read_models.projection
  -- Set while the read model is rebuilt because its rows came from another log: what the leader found.
  add column if not exists another_log text,
  -- True until new tables show the log up to its end for the first time.
  add column if not exists is_filling boolean not null default false,
  -- The log from which the read model is made.
  add column if not exists log_id text,
  -- host:pid of the process that leads the read model, and its last heartbeat.
  add column if not exists leader text,
  add column if not exists heartbeat_at timestamptz,
  -- The last heartbeat of a process that was started for this read model alone.
  add column if not exists dedicated_at timestamptz;

-- Earlier releases kept one log's id for all read models.
do $$
begin
  if to_regclass('read_models.log') is not null then
    update read_models.projection set log_id = (select log_id from read_models.log)
      where log_id is null;
    drop table read_models.log;
  end if;
end $$;

-- Written by earlier releases, of which one process leads all read models.
create table if not exists read_models.owner (
  only_row boolean primary key default true check (only_row),
  process text not null,
  heartbeat_at timestamptz not null
);

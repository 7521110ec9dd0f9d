-- Writes that were refused because the log was full (SPEC F2). Not a read model: these writes are not in the
-- log.
create schema if not exists admin_queue;

create table if not exists admin_queue.refused_write (
  seq bigint generated always as identity,
  command_id text collate "C" primary key,
  command text not null,
  keyed boolean not null,
  caller text not null,
  stream text not null,
  route text not null,
  trace_id text not null,
  refused_at text not null,
  -- The sealed request.
  sealed text not null,
  attempts int not null default 0,
  last_code text not null default 'STORAGE_FULL',
  -- The write waits for a person: it has no Idempotency-Key, or a rule refused its replay.
  waits_for_person boolean not null,
  -- The instance that replays the write holds a lease until then.
  leased_until timestamptz not null default 'epoch'
);
create index if not exists refused_write_order on admin_queue.refused_write (seq);

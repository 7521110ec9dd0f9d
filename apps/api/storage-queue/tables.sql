-- Writes that found no room (SPEC F2). It is no read model: what waits here is not in the log.
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
  -- The request itself, sealed.
  sealed text not null,
  attempts int not null default 0,
  last_code text not null default 'STORAGE_FULL',
  -- It waits for a person: it came without an Idempotency-Key, or its replay was refused by a rule.
  waits_for_person boolean not null,
  -- Who replays it has it until then.
  leased_until timestamptz not null default 'epoch'
);
create index if not exists refused_write_order on admin_queue.refused_write (seq);

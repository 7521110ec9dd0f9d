-- The verifications of the installation, which all instances share. Not a read model: none of it is in the log.
create schema if not exists verification;

create table if not exists verification.run (
  subject text collate "C" primary key,
  -- The run that holds the lease, and its last heartbeat; null if none runs.
  run_id uuid,
  beat_at timestamptz,
  -- When the last run ended, whether it failed or not; at first, when the first instance started.
  ended_at timestamptz not null default now(),
  -- True if a caller has asked the current run for the decisions as well.
  decisions boolean not null default false,
  progress jsonb,
  last jsonb
);

-- The runs that ended with a report, without their findings. The newest 100 of each subject are kept.
create table if not exists verification.past_run (
  subject text collate "C" not null,
  run_id uuid primary key,
  ended_at timestamptz not null default now(),
  report jsonb not null
);
create index if not exists past_run_subject on verification.past_run (subject, ended_at);

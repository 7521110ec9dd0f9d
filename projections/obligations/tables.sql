-- The obligations of the log: one row until the event that settles it arrives.
create table obligation (
  kind text collate "C" not null,
  stream text collate "C" not null,
  -- 'infinity' while the due time is unknown.
  due_at timestamptz not null,
  primary key (kind, stream)
);
create index obligation_due on obligation (due_at);

-- The consents that are revoked: what is written under them afterwards must not stay (SPEC P4).
create table revoked_consent (consent_id text collate "C" primary key);

-- The requests on episodes of jobs, for as long as they exist: the job's ReflectiveLog lists their events.
create table job_request (
  stream text collate "C" primary key,
  log_id text collate "C" not null,
  -- The numbers of the request's last event for the log, and of the last one that the log lists; -1 for none.
  last_number int not null,
  listed_number int not null,
  due_at timestamptz not null
);
create index job_request_unlisted on job_request (due_at) where listed_number < last_number;

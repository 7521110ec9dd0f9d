-- One row per event of the audit streams: refused commands (SPEC I1), unredacted reads (SPEC G7) and warnings.
create table audit_entry (
  -- Commit position of the event: the order of lists, and their cursor.
  position bigint primary key,
  type text not null,
  -- The caller whose audit stream it is.
  sub text collate "C" not null,
  -- The stream that was read, or that the command would have written; null if unknown.
  about text collate "C",
  -- Canonical JSON of the event's data.
  data text not null,
  trace_id text not null,
  recorded_at text not null,
  -- The event, and the row's seal (libs/read-model/sealed-table.ts).
  stream text collate "C" not null,
  number int not null,
  event_hash text not null,
  seal bytea not null
);
create index audit_entry_sub on audit_entry (type, sub, position);
create index audit_entry_about on audit_entry (type, about, position);
create index audit_entry_type on audit_entry (type, position);

-- One row per consent (SPEC P4).
create table consent (
  consent_id text collate "C" primary key,
  -- Commit position of consent_given: the order of lists, and their cursor.
  position bigint not null unique,
  user_id text not null,
  -- Folded: case and an initial `user_` do not matter (SPEC I9).
  user_folded text collate "C" not null,
  text text not null,
  scope text not null,
  job_seed text,
  given_at text not null,
  revoked_at text,
  -- The request by which the council approved data of category high.
  approved_by text,
  -- The last event that the row shows, and the row's seal (libs/read-model/sealed-table.ts).
  stream text collate "C" not null,
  number int not null,
  event_hash text not null,
  seal bytea not null
);
create index consent_user on consent (user_folded, position);

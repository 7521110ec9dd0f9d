-- The obligations of the log: one row until the event that settles it arrives.
create table obligation (
  kind text collate "C" not null,
  stream text collate "C" not null,
  -- 'infinity' while the due time is unknown.
  due_at timestamptz not null,
  primary key (kind, stream)
);
create index obligation_due on obligation (due_at);

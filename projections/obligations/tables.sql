-- What the log still owes: one row until the event that settles it has come.
create table obligation (
  kind text collate "C" not null,
  stream text collate "C" not null,
  -- 'infinity' while it is not yet known when, or whether, it falls due.
  due_at timestamptz not null,
  primary key (kind, stream)
);
create index obligation_due on obligation (due_at);

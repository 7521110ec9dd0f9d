-- One row for each stream: a thread in one namespace.
create table thread (
  thread_stream text collate "C" primary key,
  -- `user:<id>`, or `sub:<sub>` of an agent without a user.
  owner text collate "C" not null,
  thread_id text collate "C" not null,
  namespace text collate "C" not null,
  -- The last event that the row shows, and the row's seal (libs/read-model/sealed-table.ts).
  stream text collate "C" not null,
  number int not null,
  event_hash text not null,
  seal bytea not null
);
create index thread_owner on thread (owner, thread_id);

-- One row for each checkpoint that was put. Its content is read from the log.
create table graph_checkpoint (
  thread_stream text collate "C" not null,
  -- The number of the event that put it.
  put_number int not null,
  owner text collate "C" not null,
  thread_id text collate "C" not null,
  namespace text collate "C" not null,
  checkpoint_id text collate "C" not null,
  -- Commit position of the event that first put this id: the order of lists, and their cursor.
  first_position bigint not null,
  -- Null if the metadata contains personal data or is large: no filter finds it then.
  metadata jsonb,
  -- The number of the event that deleted the thread or put another checkpoint with this id; null if it is visible.
  hidden_number int,
  stream text collate "C" not null,
  number int not null,
  event_hash text not null,
  seal bytea not null,
  primary key (thread_stream, put_number)
);
create index graph_checkpoint_owner on graph_checkpoint (owner, first_position desc, thread_stream desc) where hidden_number is null;
create index graph_checkpoint_thread on graph_checkpoint (owner, thread_id, first_position desc, thread_stream desc) where hidden_number is null;
create index graph_checkpoint_visible on graph_checkpoint (thread_stream, checkpoint_id) where hidden_number is null;

create table partition (
  id int primary key,
  kind text not null,
  space text not null,
  scope text collate "C" not null,
  -- The number of entries, alive or not.
  entries int not null,
  unique (scope, kind, space)
);

-- The inverted index. `block` is ordinal >> 10. `data` has 3 bytes for each entry of the block with this term: its
-- place in the block (uint16), and the frequency of the term (uint8).
create table posting (
  partition int not null,
  term text collate "C" not null,
  block int not null,
  data bytea not null,
  primary key (partition, term, block)
);
alter table posting alter column data set storage external;

-- What the ranking needs of each entry of a block, in 37 bytes: the length of its text (uint32), the code of its
-- container (uint32) and of its label (uint32), flags (uint8), its time in milliseconds (float64), the position at
-- which it appeared (float64), and the clock then in milliseconds (float64). `deaths` has 10 bytes for each entry that disappeared: its place in the block (uint16),
-- and the position (float64). `changed` is the position of the last event that changed the block.
create table block (
  partition int not null,
  block int not null,
  data bytea not null,
  deaths bytea not null,
  changed bigint not null,
  primary key (partition, block)
);
alter table block alter column data set storage external;
create index block_by_change on block (partition, changed);

-- The codes of containers and labels: the ordinal of the first entry that has it, plus 1.
create table container (
  partition int not null,
  name text collate "C" not null,
  code int not null,
  session_id text collate "C",
  primary key (partition, name)
);
create index container_by_session on container (session_id, partition);

create table label (
  partition int not null,
  name text collate "C" not null,
  code int not null,
  primary key (partition, name)
);

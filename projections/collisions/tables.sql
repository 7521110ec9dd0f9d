-- One row for each title that got another key than the one it generated, because another title owns that key
-- (SPEC K4).
create table collision (
  collision_id text collate "C" primary key,
  -- Commit position of the collision's event: the order of lists, and their cursor.
  position bigint not null unique,
  contested_key text collate "C" not null,
  given_key text collate "C" not null,
  title text not null,
  found_at text not null,
  closed_at text,
  closed_by_sub text,
  closed_by_user_id text,
  reason text,
  -- The last event that the row shows, and the row's seal (libs/read-model/sealed-table.ts).
  stream text collate "C" not null,
  number int not null,
  event_hash text not null,
  seal bytea not null,
  unique (contested_key, given_key)
);
create index collision_open on collision (position) where closed_at is null;

-- The artifact stores that the instances use. All instances must use the same one.
create schema if not exists artifacts;

create table if not exists artifacts.store_in_use (
  -- The URL of a bucket, or the random id of a folder.
  store text collate "C" primary key,
  seen_at timestamptz not null
);

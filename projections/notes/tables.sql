-- One row per note; a note that was deleted or has expired keeps its row, without its value (SPEC N1).
create table note (
  stream text collate "C" primary key,
  -- `user:<id>` or `sub:<sub>`.
  owner text collate "C" not null,
  -- Each in clear, or sealed if it contains personal data.
  namespace text[] collate "C",
  sealed_namespace text,
  key text collate "C",
  sealed_key text,
  -- Canonical JSON of the value, or of its sealed form; null if the note does not exist.
  held text,
  is_sealed boolean not null,
  created_at text not null,
  updated_at text not null,
  expires_at text collate "C",
  version int not null,
  is_current boolean not null,
  -- The event, and the row's seal (libs/read-model/sealed-table.ts).
  number int not null,
  event_hash text not null,
  seal bytea not null
);
-- The order of lists. An index has no room for every owner's name, so it has its digest.
create index note_name on note (md5(owner), namespace, coalesce(key, ''), stream) where is_current;
create index note_sealed_namespace on note (md5(owner), stream)
  where is_current and namespace is null;
create index note_expiry on note (expires_at) where is_current and expires_at is not null;

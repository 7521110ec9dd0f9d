-- One row per event and key for the events that contain sealed values (SPEC P5). An erasure takes its manifest
-- from here, so that it need not read the whole log.
create table sealed_value (
  -- The id of the key: `<subject>#<version>`.
  kid text collate "C" not null,
  position bigint not null,
  subject text collate "C" not null,
  -- How many values of the event this key seals.
  count int not null,
  recorded_at text not null,
  -- The event, and the row's seal (libs/read-model/sealed-table.ts).
  stream text collate "C" not null,
  number int not null,
  event_hash text not null,
  seal bytea not null,
  primary key (kid, position)
);
create index sealed_value_subject on sealed_value (subject, position);

-- The keys that erasures have destroyed, as the log names them (SPEC G6). A service whose table of keys is a copy
-- from before an erasure destroys them again.
create table erased_key (
  kid text collate "C" primary key,
  subject text collate "C" not null,
  version int not null,
  -- The request of the erasure.
  destroyed_by text not null,
  stream text collate "C" not null,
  number int not null,
  event_hash text not null,
  seal bytea not null
);

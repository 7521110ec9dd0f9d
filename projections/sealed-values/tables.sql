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

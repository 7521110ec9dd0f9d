-- The inverted index for ranking. `block` is ordinal >> 10. `data` has 4 bytes for each entry of the block
-- with this token: the place in the block (10 bits), the number of occurrences in the summary (11 bits), and
-- the number of tokens in the summary (11 bits).
create table posting (
  token text collate "C" not null,
  block int not null,
  data bytea not null,
  primary key (token, block)
);
alter table posting alter column data set storage external;

-- The data of each entry of a block that filters and ties need, 12 bytes each: a number in the order of
-- created_seeded_ts (float64), and the ordinal of the first entry of the same owner_user_id (uint32), 0 if
-- there is no owner.
create table block (
  block int primary key,
  data bytea not null
);
alter table block alter column data set storage external;

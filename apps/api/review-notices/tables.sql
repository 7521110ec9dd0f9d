-- Notices of waiting requests to the review webhook (SPEC G9). Not a read model: deliveries are not in the log.
create schema if not exists review_notices;

create table if not exists review_notices.delivery (
  request_id text collate "C" not null,
  notice text collate "C" not null,
  attempts int not null,
  next_attempt_at timestamptz not null,
  -- When the receiver acknowledged the notice; null while it has not.
  delivered_at timestamptz,
  primary key (request_id, notice)
);

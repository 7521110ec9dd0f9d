-- One row per request stream (SPEC §6).
create table request (
  request_id text collate "C" primary key,
  -- Commit position of the stream's first event: the order of the queue, and the cursor of a list.
  position bigint not null unique,
  status text not null,
  kind text not null,
  episodic_id text,
  target_sem_key text collate "C",
  -- Canonical JSON of the proposed value, or of its sealed form.
  held text not null,
  is_sealed boolean not null,
  justification text not null,
  evidence text not null,
  proposer_sub text not null,
  proposer_user_id text,
  -- Folded: case and an initial `user_` do not matter (SPEC I9).
  proposer_user_folded text collate "C",
  made_for text collate "C",
  -- Folded like proposer_user_folded.
  made_for_folded text collate "C",
  source text not null,
  requested_at text not null,
  expires_at text collate "C" not null,
  quorum int not null,
  proposal_hash text not null,
  decided_at text collate "C",
  rejection_reason text,
  refusal_code text,
  -- The write that the approval led to; for a refused execution, the write that lost (SPEC G3).
  sem_stream text,
  sem_event_number int,
  -- The reviewer who revised the value last (SPEC G8).
  editor_sub text,
  editor_user_id text,
  -- True if the proposer has not answered the last question.
  awaits_answer boolean not null,
  -- The subs of the reviewers whose last question waits for its answer, and of those whose last question is answered.
  waiting_askers text[] collate "C" not null,
  answered_askers text[] collate "C" not null,
  -- When the proposer answered last; null without an answer.
  answered_at text,
  -- The job of the episode, and the category of personal data in the value: what a consent has to cover (SPEC P4).
  job_seed text,
  finding_category text,
  -- The scope and entity type of the target; '' without one.
  target_area text collate "C" not null,
  -- The reasons of the risk that the request's own words give.
  own_reasons text[] collate "C" not null,
  -- The episodes that the request is based on or cites.
  cited_episodes text[] collate "C" not null,
  -- The risk that the last vote recorded; null without one.
  voted_risk text,
  voted_reasons text[] collate "C",
  -- The votes on the current value, and those of them that count towards the quorum.
  votes_cast int not null,
  votes_counted int not null,
  -- The number of revisions of the value (SPEC G8).
  revisions int not null,
  -- The number of the stream's last event.
  revision int not null,
  -- The last event that the row shows, and the row's seal (libs/read-model/sealed-table.ts).
  stream text collate "C" not null,
  number int not null,
  event_hash text not null,
  seal bytea not null
);
create index request_by_status on request (status, position);
create index request_by_proposer on request (proposer_sub, status);
create index request_by_decision on request (decided_at) where decided_at is not null;

create table vote (
  request_id text collate "C" not null,
  number int not null,
  voter_sub text not null,
  voter_user_id text,
  vote text not null,
  reason text not null,
  reason_code text,
  proposal_hash text not null,
  at text not null,
  -- The last event that the row shows, and the row's seal (libs/read-model/sealed-table.ts).
  stream text collate "C" not null,
  event_hash text not null,
  seal bytea not null,
  primary key (request_id, number)
);

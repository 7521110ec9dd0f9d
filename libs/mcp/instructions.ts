const MEMORY = `MACE Memory is your memory. Everything that you store is recorded and can be audited.`;

const AGENT = `For a task: start_job, then remember what matters, use_memory when an entry helped, tick_job after each step, and end_job at the end.
For what must outlive the task: propose_fact. A proposal is not a fact before reviewers approve it; you cannot approve it.
To know something: read_fact for one approved fact, list_facts for all facts about a thing, recall for a conversation.`;

const COUNCIL = `You review proposals: list_requests, read_request, then vote with the proposal_hash that you have read. Ask the proposer if a proposal is unclear.`;

const PRIVACY = `Do not store passwords, card numbers or other secrets: the service refuses or redacts them. A value such as {"redacted": true} is withheld from you; do not guess it.`;

/** Returns how a model should use the tools of these names. */
export function instructionsFor(names: ReadonlySet<string>): string {
  return [
    MEMORY,
    ...(names.has('start_job') ? [AGENT] : []),
    ...(names.has('vote') ? [COUNCIL] : []),
    PRIVACY,
  ].join('\n');
}

const MEMORY = `MACE Memory is your memory. Everything that you store is recorded and can be audited.`;

const FIND = `To know something: search first. read_fact and read_note read one thing; list_facts and list_notes show all of a folder.`;

const NOTES = `For what you want to know in later tasks: write_note. For what everybody shall know: propose_fact. A proposal is not a fact before reviewers approve it; you cannot approve it.`;

const JOBS = `For a task: start_job, then remember what matters, use_memory when an entry helped, tick_job after each step, and end_job at the end.`;

const COUNCIL = `You review proposals: list_requests, read_request, then vote with the proposal_hash that you have read. Ask the proposer if a proposal is unclear.`;

const PRIVACY = `Do not store passwords, card numbers or other secrets: the service refuses or redacts them. A value such as {"redacted": true} is withheld from you; do not guess it.`;

/** Returns how a model should use the tools of these names. */
export function instructionsFor(names: ReadonlySet<string>): string {
  return [
    MEMORY,
    FIND,
    ...(names.has('write_note') ? [NOTES] : []),
    ...(names.has('start_job') ? [JOBS] : []),
    ...(names.has('vote') ? [COUNCIL] : []),
    PRIVACY,
  ].join('\n');
}

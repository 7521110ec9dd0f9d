const MEMORY = `MACE Memory is your memory. Everything that you store is recorded and can be audited.`;

const RECALL = `Before you answer something that depends on the person: recall what is remembered about them.`;

const FIND = `To know something else: search first. read_fact and read_note read one thing; list_facts and list_notes show all of a folder.`;

const LASTS = `What you store lasts only if you store it in one of these ways:`;

/** The ways that last, each under the tool that stores it. A caller reads those whose tool it sees. */
const LASTING: Readonly<Record<string, string>> = {
  remember: `About the person: remember {text} keeps a text about the person until it is forgotten. recall {query?} returns what is kept about the person; forget {memory_id} removes it.`,
  write_note: `For yourself: write_note keeps a page of your own under a name, until you delete it.`,
  propose_fact: `For everybody: propose_fact. A proposal is not a fact before the council approves it; you cannot approve it.`,
};

const JOBS = `What vanishes: job_hold. It holds an entry only for the task at hand: start_job, job_hold what matters for the task, job_use when an entry helped, tick_job after each step, and end_job at the end. An entry that is not used is gone after a few ticks. end_job answers which episodes were kept and which entries are gone.`;

const COUNCIL = `You review proposals: list_requests, read_dossier, then vote with the proposal_hash that you have read. Ask the proposer if a proposal is unclear.`;

const PRIVACY = `Do not store passwords, card numbers or other secrets: the service refuses, redacts or seals them. A value such as {"redacted": true} is withheld from you; do not guess it.`;

/** Returns how a model stores what lasts, with the tools of these names; no line if none of them does. */
export function lastingWays(names: ReadonlySet<string>): string[] {
  const ways = Object.entries(LASTING).filter(([tool]) => names.has(tool));
  return ways.length === 0 ? [] : [LASTS, ...ways.map(([, way]) => `- ${way}`)];
}

/** Returns how a model should use the tools of these names. */
export function instructionsFor(names: ReadonlySet<string>): string {
  return [
    MEMORY,
    ...(names.has('recall') ? [RECALL] : []),
    FIND,
    ...lastingWays(names),
    ...(names.has('start_job') ? [JOBS] : []),
    ...(names.has('vote') ? [COUNCIL] : []),
    PRIVACY,
  ].join('\n');
}

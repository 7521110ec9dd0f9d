/** The categories of streams whose events may be sealed, in words. */
export const SEALED_KINDS: Readonly<Record<string, string>> = {
  job: 'Jobs and their episodes',
  sem: 'Facts',
  note: 'Notes',
  remembered: 'Memories',
  conversation: 'Conversations',
  thread: 'Threads',
  request: 'Requests',
};

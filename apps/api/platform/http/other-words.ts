/** A route of a person's memories, and the words by which newcomers ask for it. */
export interface Verb {
  readonly route: string;
  readonly does: string;
  readonly words: readonly string[];
}

const REMEMBER: Verb = {
  ...{ route: 'POST /v1/remember', does: 'keeps a memory' },
  words: 'add create insert keep learn memorize new post put save set store upsert write'.split(
    ' ',
  ),
};
const RECALL: Verb = {
  ...{ route: 'POST /v1/recall', does: 'finds what is remembered' },
  words: 'ask context fetch find get lookup query read recall retrieve search'.split(' '),
};
const REWORD: Verb = {
  ...{
    route: 'PUT /v1/memories/{memory_id}',
    does: 'gives a memory another text. GET /v1/memories shows its id',
  },
  words: 'change edit modify patch rename reword update'.split(' '),
};
const FORGET: Verb = {
  ...{
    route: 'DELETE /v1/memories/{memory_id}',
    does: 'forgets one memory. GET /v1/memories shows the ids, and only the erasure of a person forgets all',
  },
  words: 'clear delete destroy drop erase forget remove reset'.split(' '),
};
const LIST: Verb = {
  ...{ route: 'GET /v1/memories', does: 'lists memories' },
  words: ['all', 'list'],
};

const VERBS: ReadonlyMap<string, Verb> = new Map(
  [REMEMBER, RECALL, REWORD, FORGET, LIST].flatMap((verb) =>
    verb.words.map((word) => [word, verb] as const),
  ),
);

/** The verb that each method means on a path such as `/v1/memories`. */
const BY_METHOD: Readonly<Record<string, Verb>> = {
  POST: REMEMBER,
  PUT: REMEMBER,
  PATCH: REWORD,
  DELETE: FORGET,
  GET: LIST,
};

/** The names that other products use for the resources of this one. */
const RESOURCES: ReadonlyMap<string, string> = new Map(
  Object.entries({
    ...{ fact: 'sem', facts: 'sem', knowledge: 'sem', kv: 'notes', document: 'notes' },
    ...{ documents: 'notes', chat: 'conversations', chats: 'conversations' },
    ...{ message: 'conversations', messages: 'conversations', run: 'jobs', runs: 'jobs' },
    ...{ task: 'jobs', tasks: 'jobs', session: 'jobs', sessions: 'jobs' },
  }),
);

/** Returns the parts of a path with the service's own name for the thing that the first one names. */
export const ownWords = ([first = '', ...rest]: readonly string[]): readonly string[] => [
  RESOURCES.get(first.toLowerCase()) ?? first,
  ...rest,
];

/** The verbs of a person's memory, as an answer names them to a caller who may want one. */
export const THREE_VERBS = `A person’s memory has ${[REMEMBER, RECALL, FORGET].map(({ route }) => route).join(', ')}.`;

const isNoun = (part: string): boolean => /^(?:mem|memory|memories)$/.test(part);
const isPerson = (part: string): boolean => /^(?:user|users|person|persons|people)$/.test(part);
const isMemoryId = (part: string): boolean => part.startsWith('mem:');

/** Returns the words of a path that are neither memories nor a person with an id. */
function otherWords(parts: readonly string[]): readonly string[] {
  return parts.filter(
    (part, index) =>
      !isNoun(part) && !isMemoryId(part) && !isPerson(part) && !isPerson(parts[index - 1] ?? ''),
  );
}

/** Returns the verb that a path names in other words, such as `/v1/add` or `/v1/memories/search`. @param parts without the version */
export function verbNamed(parts: readonly string[]): Verb | undefined {
  const [word, ...others] = otherWords(parts.map((part) => part.toLowerCase()));
  return others.length > 0 ? undefined : VERBS.get(word ?? '');
}

/** Returns the verb that a method asks for on a path that names memories alone; undefined on any other. */
export function verbOfMethod(method: string, parts: readonly string[]): Verb | undefined {
  const isMemories = parts.some(isNoun) && otherWords(parts).length === 0;
  return isMemories ? BY_METHOD[method] : undefined;
}

/** The latest words of the user in messages. */
export interface LastWords {
  /** Empty if the user said nothing. */
  readonly userText: string;
  /** False if the model has been called for these words before, such as after the call of a tool. */
  readonly isNew: boolean;
}

/** A message as frameworks have it; each field may be of another kind. */
interface Message {
  readonly role?: unknown;
  readonly content?: unknown;
  readonly getType?: unknown;
}

/** Returns the latest words of the user in messages of any framework. */
export function lastWordsOf(messages: readonly unknown[]): LastWords {
  for (const [place, message] of [...messages.entries()].reverse()) {
    const userText = userTextOf(message);
    if (userText !== '') return { userText, isNew: place === messages.length - 1 };
  }
  return { userText: '', isNew: false };
}

/** Returns what the user says in a message; an empty text for one of another role, and for results of tools. */
function userTextOf(message: unknown): string {
  if (typeof message !== 'object' || message === null) return '';
  const { role, content, getType }: Message = message;
  const isOfLangChain = typeof getType === 'function' && getType.call(message) === 'human';
  return role === 'user' || isOfLangChain ? textOf(content) : '';
}

/** Returns the text of a content: a text, parts, or an object with parts, as Mastra has it. */
function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  if (Array.isArray(content))
    return content
      .map((part: unknown) => (typeof part === 'string' ? part : textOfPart(part)))
      .filter((text) => text !== '')
      .join('\n');
  const isObject = typeof content === 'object' && content !== null;
  return isObject && 'parts' in content ? textOf(content.parts) : '';
}

function textOfPart(part: unknown): string {
  if (typeof part !== 'object' || part === null) return '';
  const { type, text }: { readonly type?: unknown; readonly text?: unknown } = part;
  return (type === 'text' || type === 'input_text') && typeof text === 'string' ? text : '';
}

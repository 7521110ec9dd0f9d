/** One message of a conversation, in the format of chat completions. */
export interface Message {
  readonly role: 'system' | 'user' | 'assistant';
  readonly content: string;
}

export interface Completion {
  /** The text of the answer: not blank, well-formed and without U+0000, so that the log can hold it (SPEC I5). */
  readonly text: string;
  /** The provider's token count, or an estimate from the text; at least 1. */
  readonly tokens: number;
}

export interface LanguageModel {
  /** Asks for a completion. @throws LanguageModelDown if no provider answered; the signal's reason if it aborts. */
  complete(messages: readonly Message[], signal: AbortSignal): Promise<Completion>;
}

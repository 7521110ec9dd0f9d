/** One message of a conversation, as chat completions take them. */
export interface Message {
  readonly role: 'system' | 'user' | 'assistant';
  readonly content: string;
}

/** What a model said. */
export interface Completion {
  /** Not blank, well-formed, without U+0000: what the log can carry (SPEC I5). */
  readonly text: string;
  /** As the provider counted them, else estimated from the text; never 0. */
  readonly tokens: number;
}

/** The one way to ask a language model (SPEC A1). */
export interface LanguageModel {
  /**
   * @throws LanguageModelDown if no provider answered; the signal's reason once it is aborted.
   */
  complete(messages: readonly Message[], signal: AbortSignal): Promise<Completion>;
}

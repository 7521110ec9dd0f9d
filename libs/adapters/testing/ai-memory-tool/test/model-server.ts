import { ModelServer, sendJson } from '../../testing/model-server.mjs';

/** A block of the model's answer: words, or the call of a tool. */
export type Block =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'tool_use'; readonly input: object };

interface ToolResult {
  readonly type: string;
  readonly content: unknown;
  readonly is_error?: boolean;
}

/** A request to the model, as both SDKs send it to the Messages API. */
export interface ModelRequest {
  readonly tools: readonly { readonly type: string; readonly name: string }[];
  readonly messages: readonly { readonly role: string; readonly content: string | ToolResult[] }[];
}

/** Starts a model with Anthropic's Messages API. `script` has one answer for each request. */
export const startModel = (...script: readonly Block[]) =>
  ModelServer.start<ModelRequest>((_, outgoing, turn) =>
    sendJson(outgoing, answerOf(script[turn - 1] ?? { type: 'text', text: 'Done.' }, turn)),
  );

/** Returns the results of tools that the model was told, in order. */
export const resultsOf = (requests: readonly ModelRequest[]) =>
  requests.flatMap(({ messages }) => {
    const content = messages.at(-1)?.content;
    if (typeof content !== 'object') return [];
    return content
      .filter(({ type }) => type === 'tool_result')
      .map(({ content: said, is_error }) => ({
        content: wordsOf(said),
        is_error: is_error === true,
      }));
  });

function answerOf(block: Block, turn: number) {
  const isCall = block.type === 'tool_use';
  return {
    id: `msg_${turn}`,
    type: 'message',
    role: 'assistant',
    model: 'scripted',
    content: [isCall ? { ...block, id: `toolu_${turn}`, name: 'memory' } : block],
    stop_reason: isCall ? 'tool_use' : 'end_turn',
    stop_sequence: null,
    usage: { input_tokens: 1, output_tokens: 1 },
  };
}

const wordsOf = (content: unknown): string =>
  typeof content === 'string'
    ? content
    : (content as { readonly text?: string }[]).map(({ text = '' }) => text).join('');

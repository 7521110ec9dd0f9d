import { ModelServer, sendJson } from '../../testing/model-server.mjs';

/** A request to the model, as the OpenAI SDK sends it to the Responses API. */
export interface ModelRequest {
  readonly input: readonly { readonly role?: string; readonly content?: unknown }[];
}

/** Starts a model with an OpenAI-compatible Responses API. `answer` is its script. */
export const startModel = (answer: (request: ModelRequest) => string) =>
  ModelServer.start<ModelRequest>((request, outgoing, number) =>
    sendJson(outgoing, responseOf(answer(request), number)),
  );

const responseOf = (text: string, number: number) => ({
  id: `resp_${number}`,
  object: 'response',
  status: 'completed',
  model: 'scripted',
  output: [
    {
      id: `msg_${number}`,
      type: 'message',
      role: 'assistant',
      status: 'completed',
      content: [{ type: 'output_text', text, annotations: [] }],
    },
  ],
  usage: { input_tokens: 1, output_tokens: 1, total_tokens: 2 },
});

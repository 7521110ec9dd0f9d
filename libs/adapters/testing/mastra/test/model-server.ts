import type { ServerResponse } from 'node:http';
import { ModelServer, sendJson } from '../../testing/model-server.mjs';

/** A request to the model, as clients of the chat completions API send it. */
export interface ModelRequest {
  readonly stream?: boolean;
  readonly messages: readonly { readonly role: string; readonly content: unknown }[];
}

/** Starts a model with an OpenAI-compatible chat completions API. `answer` is its script. */
export const startModel = (answer: (request: ModelRequest) => string) =>
  ModelServer.start<ModelRequest>((request, outgoing) => {
    if (request.stream === true) stream(outgoing, answer(request));
    else complete(outgoing, answer(request));
  });

const common = { id: 'chat-1', created: 0, model: 'scripted' };
const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };

function complete(outgoing: ServerResponse, content: string): void {
  const message = { role: 'assistant', content };
  const choices = [{ index: 0, message, finish_reason: 'stop' }];
  sendJson(outgoing, { ...common, object: 'chat.completion', choices, usage });
}

function stream(outgoing: ServerResponse, content: string): void {
  const chunk = (delta: object, finish_reason: 'stop' | null) => {
    const choices = [{ index: 0, delta, finish_reason }];
    const data = { ...common, object: 'chat.completion.chunk', choices };
    outgoing.write(`data: ${JSON.stringify(finish_reason ? { ...data, usage } : data)}\n\n`);
  };
  outgoing.writeHead(200, { 'content-type': 'text/event-stream' });
  chunk({ role: 'assistant', content }, null);
  chunk({}, 'stop');
  outgoing.end('data: [DONE]\n\n');
}

import { type MaceClient, personMemory, type PersonMemoryOptions } from '@mace-memory/client';
import type { LanguageModelMiddleware } from 'ai';

type Params = Parameters<NonNullable<LanguageModelMiddleware['wrapStream']>>[0]['params'];

/**
 * Returns a middleware for `wrapLanguageModel` of the AI SDK. Its model knows, in every chat, what the user said of
 * themselves: it stands behind the system prompt. What lasts of the user's latest message is remembered when the model has
 * answered, of a stream when it has been read to its end.
 *
 * ```ts
 * const middleware = rememberingUser(mace, { user_id: 'ada' });
 * const { text } = await generateText({ model: wrapLanguageModel({ model, middleware }), prompt });
 * ```
 */
export function rememberingUser(
  mace: MaceClient,
  options: PersonMemoryOptions = {},
): LanguageModelMiddleware {
  const person = personMemory(mace, options);
  const before = async (params: Params) => {
    const turn = await person.before(params.prompt, { signal: params.abortSignal });
    return { turn, asked: withSystem(params, turn.prompt) };
  };
  return {
    specificationVersion: 'v4',
    async wrapGenerate({ model, params }) {
      const { turn, asked } = await before(params);
      const answer = await model.doGenerate(asked);
      void person.after(turn);
      return answer;
    },
    async wrapStream({ model, params }) {
      const { turn, asked } = await before(params);
      const { stream, ...answer } = await model.doStream(asked);
      let isWhole = true;
      const remembered = new TransformStream<StreamPart, StreamPart>({
        transform(part, controller) {
          isWhole &&= part.type !== 'error';
          controller.enqueue(part);
        },
        flush() {
          if (isWhole) void person.after(turn);
        },
      });
      return { ...answer, stream: stream.pipeThrough(remembered) };
    },
  };
}

type Answer = Awaited<ReturnType<NonNullable<LanguageModelMiddleware['wrapStream']>>>;
type StreamPart = Answer['stream'] extends ReadableStream<infer Part> ? Part : never;

/** Returns the parameters with a text behind the system messages at the beginning. */
function withSystem(params: Params, content: string): Params {
  if (content === '') return params;
  const { prompt } = params;
  const first = prompt.findIndex(({ role }) => role !== 'system');
  const place = first === -1 ? prompt.length : first;
  return { ...params, prompt: prompt.toSpliced(place, 0, { role: 'system', content }) };
}

/**
 * Yields the chunks of an answer's body as they arrive. Throws the signal's reason when the signal
 * aborts. The signal that was passed to `fetch` is not enough: in Node 20 it no longer ends the body
 * once the garbage collector has run.
 */
export async function* chunksOf(
  response: Response,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array, void, undefined> {
  if (!response.body) return;
  const reader = (response.body as ReadableStream<Uint8Array>).getReader();
  const stop = (): void => void reader.cancel(signal.reason).catch(() => undefined);
  signal.addEventListener('abort', stop, { once: true });
  try {
    signal.throwIfAborted();
    for (;;) {
      const { done, value } = await reader.read();
      signal.throwIfAborted();
      if (done) return;
      yield value;
    }
  } finally {
    signal.removeEventListener('abort', stop);
    await reader.cancel().catch(() => undefined);
  }
}

/** Returns the whole body as text. Throws as `chunksOf` does. */
export async function textOf(response: Response, signal: AbortSignal): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of chunksOf(response, signal))
    text += decoder.decode(chunk, { stream: true });
  return text + decoder.decode();
}

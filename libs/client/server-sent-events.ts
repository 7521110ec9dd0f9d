/** One block of a stream of server-sent events. */
export interface ServerSentEvent {
  readonly id: string | undefined;
  readonly data: string | undefined;
  readonly comment: string | undefined;
}

/** Yields the blocks of a stream of server-sent events, wherever the connection splits its bytes. */
export async function* serverSentEvents(
  pieces: AsyncIterable<Uint8Array>,
): AsyncGenerator<ServerSentEvent, void, undefined> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const piece of pieces) {
    const blocks = (text + decoder.decode(piece, { stream: true })).split(/\r?\n\r?\n/);
    text = blocks.pop() ?? '';
    for (const block of blocks) yield blockOf(block);
  }
}

function blockOf(block: string): ServerSentEvent {
  const fields = new Map<string, string>();
  for (const line of block.split(/\r?\n/)) {
    const colon = line.indexOf(':');
    if (colon < 0) continue;
    const name = line.slice(0, colon);
    const value = line.slice(colon + 1).replace(/^ /, '');
    const before = fields.get(name);
    fields.set(name, before === undefined || name !== 'data' ? value : `${before}\n${value}`);
  }
  return { id: fields.get('id'), data: fields.get('data'), comment: fields.get('') };
}

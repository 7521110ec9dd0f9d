import type { MastraDBMessage } from '@mastra/core/memory';
import type { MemoryStorage } from '@mastra/core/storage';

/** A partial update of a message, as Mastra defines it. */
export type MessageUpdate = Parameters<MemoryStorage['updateMessages']>[0]['messages'][number];

/** Returns a message with an update: its content and the content's metadata are merged, not replaced. */
export function messageUpdate(message: MastraDBMessage, update: MessageUpdate): MastraDBMessage {
  const { id: _, content, ...fields } = update;
  const given = Object.entries(fields).filter(([, value]) => value !== undefined);
  const metadata = { ...message.content.metadata, ...content?.metadata };
  return {
    ...message,
    ...(Object.fromEntries(given) as Partial<MastraDBMessage>),
    ...(content === undefined
      ? {}
      : {
          content: {
            ...message.content,
            ...content,
            ...(Object.keys(metadata).length === 0 ? {} : { metadata }),
          },
        }),
  };
}

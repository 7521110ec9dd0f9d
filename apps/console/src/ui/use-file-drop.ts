import { type DragEvent, useState } from 'react';

/** Returns the attributes of an element that takes files dropped on it; `data-over` is true while one is above it. */
export function useFileDrop(take: (file: File) => Promise<void>) {
  const [isOver, setOver] = useState(false);
  return {
    'data-over': isOver,
    onDragOver: (event: DragEvent): void => {
      event.preventDefault();
      setOver(true);
    },
    onDragLeave: (): void => setOver(false),
    onDrop: (event: DragEvent): void => {
      event.preventDefault();
      setOver(false);
      for (const file of event.dataTransfer.files) void take(file);
    },
  };
}

import type { JobRecord } from '../jobs/record/job-record';
import type { Answer, Opened, Question, Questions } from './bundle-worker';
import type { SignatureFinding } from './signature';

type ResultOf<Name extends keyof Questions> = Awaited<ReturnType<Questions[Name]>>;

interface Waiting {
  readonly resolve: (result: unknown) => void;
  readonly reject: (failure: Error) => void;
}

/** Reads and verifies a bundle or a receipt in a worker, so that the page does not stand still. The file leaves nothing but it. */
export class BundleReader {
  // The worker's script is loaded with the page, so opening a file makes no request.
  readonly #worker = new Worker(new URL('./bundle-worker.ts', import.meta.url), { type: 'module' });
  readonly #waiting = new Map<number, Waiting>();
  #asked = 0;

  constructor() {
    this.#worker.onmessage = ({ data }: MessageEvent<Answer>) => {
      const waiting = this.#waiting.get(data.id);
      this.#waiting.delete(data.id);
      if ('failure' in data) waiting?.reject(new Error(data.failure));
      else waiting?.resolve(data.result);
    };
    this.#worker.onerror = () => {
      for (const { reject } of this.#waiting.values())
        reject(new Error('The file cannot be read.'));
      this.#waiting.clear();
    };
  }

  open(file: File): Promise<Opened> {
    return this.#ask('open', file);
  }

  /** Checks the signature of the open file. @param trusted ids of keys that the reader trusts */
  signature(trusted: readonly string[]): Promise<SignatureFinding> {
    return this.#ask('signature', trusted);
  }

  /** Returns the open bundle as a record. @param id its name in the console's cache */
  record(id: string): JobRecord {
    return {
      id,
      timeline: () => this.#ask('timeline'),
      events: (asked) => this.#ask('events', asked),
      stateAfter: (number) => this.#ask('stateAfter', number),
      plainEvent: (number) => this.#ask('plainEvent', number),
    };
  }

  close(): void {
    this.#worker.terminate();
  }

  #ask<Name extends keyof Questions>(name: Name, argument?: unknown): Promise<ResultOf<Name>> {
    const id = (this.#asked += 1);
    return new Promise((resolve, reject) => {
      const done = resolve as (result: unknown) => void;
      this.#waiting.set(id, { resolve: done, reject });
      this.#worker.postMessage({ id, name, argument } satisfies Question);
    });
  }
}

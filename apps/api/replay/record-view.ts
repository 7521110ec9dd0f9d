import type { Json } from '#domain/json.js';
import { REPLAY_MODES, type ReplayMode } from '#domain/replay/stream-replay.js';
import {
  ApiField,
  FLAG,
  JSON_VALUE,
  one,
  oneOf,
  orNull,
  TEXT,
  WHOLE,
} from '../platform/http/answer-fields.js';
import { StreamableFile } from '@nestjs/common';
import { Readable } from 'node:stream';

export class DivergenceDto {
  @ApiField(WHOLE) readonly number!: number;
  @ApiField(JSON_VALUE) readonly expected!: Json;
  @ApiField(JSON_VALUE) readonly actual!: Json;
}

/** The result of a replay. */
export class ReplayReportDto {
  @ApiField(oneOf(...REPLAY_MODES)) readonly mode!: ReplayMode;
  @ApiField(TEXT) readonly stream!: string;
  @ApiField(WHOLE) readonly events_checked!: number;

  @ApiField(TEXT, { description: 'The hash of the stream’s last event.' })
  readonly head_hash!: string;

  @ApiField(TEXT, {
    description: 'Equal for all runs with the same seed and the same commands.',
  })
  readonly content_hash!: string;

  @ApiField(orNull(TEXT), {
    description: 'The hash of the job’s final state; null if the replay did not reach it.',
  })
  readonly state_hash!: string | null;

  @ApiField(WHOLE, {
    description: 'The number of outcomes that an interrupted end still owes; 0 otherwise.',
  })
  readonly owed!: number;

  @ApiField(FLAG) readonly identical!: boolean;

  @ApiField(oneOf('REPLAY_DIVERGENCE', 'INTEGRITY_FAILURE'), {
    optional: true,
    description: 'Present if the replay is not identical.',
  })
  readonly code?: 'REPLAY_DIVERGENCE' | 'INTEGRITY_FAILURE';

  @ApiField(one(DivergenceDto), {
    optional: true,
    description: 'The first event that the rules do not reproduce, or whose hash is wrong.',
  })
  readonly divergence?: DivergenceDto;
}

/** The answer of a request for a bundle, for openapi.json. */
export const BUNDLE = {
  content: { 'application/x-ndjson': { schema: { type: 'string', format: 'binary' } } },
};

/** Returns the answer that streams a bundle's lines as a file. */
export const bundleFile = (name: string, lines: AsyncIterable<string>): StreamableFile =>
  new StreamableFile(Readable.from(withLineFeeds(lines)), {
    type: 'application/x-ndjson; charset=utf-8',
    disposition: `attachment; filename="${name}.ndjson"`,
  });

async function* withLineFeeds(lines: AsyncIterable<string>): AsyncGenerator<string> {
  for await (const line of lines) yield `${line}\n`;
}

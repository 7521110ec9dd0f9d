import { Injectable } from '@nestjs/common';
import { canonicalJson, canonicalSize } from '#domain/determinism/canonical-json.js';
import { codePoints, cutToCodePoints } from '#domain/episode/tokens.js';
import type { AgentOutput, ReflectiveFields } from '#domain/reflective-log/fields.js';
import { OUTPUT_TEXT } from '#domain/reflective-log/schema.js';
import { ArtifactTexts } from '../platform/artifacts/artifact-texts.js';

/**
 * The maximum canonical bytes of a whole log. A row has at most 1 MB, and one append must hold the log
 * with its metadata (SPEC L1, J9).
 */
export const LOG_BYTES = 860 * 1024;

/**
 * Moves texts that are too long for a log to artifacts, before the event that names them is appended (SPEC
 * L1).
 */
@Injectable()
export class LogArtifacts {
  constructor(private readonly texts: ArtifactTexts) {}

  /**
   * Shortens long texts to the log's limit, and stores each whole text under a URL. @throws Refusal
   * MEMORY_WRITE_FAIL, STORAGE_FULL.
   */
  outputs(outputs: readonly AgentOutput[]): Promise<AgentOutput[]> {
    return Promise.all(
      outputs.map(async (output) => {
        if (codePoints(output.text) <= OUTPUT_TEXT) return output;
        const artifact_url = await this.texts.put(output.text);
        return { ...output, text: cutToCodePoints(output.text, OUTPUT_TEXT), artifact_url };
      }),
    );
  }

  /**
   * Makes a job's own log fit. It shortens long texts as `outputs` does. If the log is still too large,
   * it moves the reasoning traces to artifacts, and then the answer. @throws Refusal as `outputs`.
   */
  async fitting(log: ReflectiveFields): Promise<ReflectiveFields> {
    const cut = { ...log, agent_outputs: await this.outputs(log.agent_outputs) };
    if (canonicalSize(cut) <= LOG_BYTES) return cut;
    const agent_outputs = await Promise.all(
      cut.agent_outputs.map(async ({ reasoning_trace, ...output }) => ({
        ...output,
        reasoning_trace: [await this.texts.put(canonicalJson(reasoning_trace))],
      })),
    );
    const brief = { ...cut, agent_outputs };
    if (canonicalSize(brief) <= LOG_BYTES) return brief;
    const artifact_url = await this.texts.put(canonicalJson(brief.final_answer));
    return { ...brief, final_answer: { artifact_url } };
  }

  /**
   * Returns the whole texts of a log's outputs; null for a text that is missing or does not match its
   * hash.
   */
  async named(log: ReflectiveFields): Promise<Readonly<Record<string, string | null>>> {
    const urls = log.agent_outputs.flatMap(({ artifact_url }) => artifact_url ?? []);
    const texts = await Promise.all(
      urls.map(async (url) => [url, await this.texts.get(url)] as const),
    );
    return Object.fromEntries(texts);
  }
}

import type { ClientHttp2Session, OutgoingHttpHeaders } from 'node:http2';
import { FieldReader, MessageWriter } from '#event-store-protocol/protobuf.js';
import { Call } from './call.js';
import { type ConnectionSettings, type Host, parseConnectionString } from './connection-string.js';
import { diagnose, type Diagnosis } from './diagnosis.js';
import { NodeClient } from './node-client.js';
import { BATCH_APPEND } from './protocol/batch-append.js';
import { READ, readAllBackwardsRequest } from './protocol/read.js';
import { openSession } from './session.js';

/** One host of a connection string, as it answers now. */
export interface SurveyedHost {
  /** The host and its port, such as `node-1:2113`. */
  readonly at: string;
  /** The server's version, such as `24.10.6`; undefined if the server did not answer. */
  readonly version?: string;
  /** Why the host cannot be used; undefined if it answers. */
  readonly diagnosis?: Diagnosis;
}

/** The longest wait in ms for an answer, unless the caller has more patience. */
const TIMEOUT_MS = 1500;
const FEATURES = '/event_store.client.server_features.ServerFeatures/GetSupportedMethods';

/**
 * Asks every host of a connection string for its version, and reads one event of $all with the user's
 * rights. Never fails for a host that does not answer. @throws BadConnectionString.
 */
export async function survey(
  url: string,
  timeoutMs = TIMEOUT_MS,
): Promise<readonly SurveyedHost[]> {
  const settings = parseConnectionString(url);
  const headers = await NodeClient.to(settings.official).callHeaders({ requiresLeader: false });
  return Promise.all(settings.hosts.map((host) => surveyHost(host, settings, headers, timeoutMs)));
}

async function surveyHost(
  host: Host,
  settings: ConnectionSettings,
  headers: OutgoingHttpHeaders,
  timeoutMs: number,
): Promise<SurveyedHost> {
  const at = `${host.host}:${host.port}`;
  const session = openSession(at, settings);
  const ask = (path: string, request: Buffer) =>
    responsesOf(session, { ...headers, ':path': path }, request, timeoutMs);
  try {
    const [features] = await ask(FEATURES, emptyRequest());
    await ask(READ, readAllBackwardsRequest(1));
    const { version, methods } = featuresIn(features ?? Buffer.alloc(0));
    return methods.has(BATCH_APPEND.toLowerCase())
      ? { at, version }
      : { at, version, diagnosis: tooOld(at, version) };
  } catch (failure) {
    return { at, diagnosis: await diagnose(failure, host, settings) };
  } finally {
    session.destroy();
  }
}

/** Makes a call with one request. Returns the responses. Fails as the call does, or after `timeoutMs`. */
function responsesOf(
  session: ClientHttp2Session,
  headers: OutgoingHttpHeaders,
  request: Buffer,
  timeoutMs: number,
): Promise<readonly Buffer[]> {
  return new Promise((resolve, reject) => {
    const responses: Buffer[] = [];
    const ended = (failure: Error | undefined): void => {
      clearTimeout(timer);
      if (failure === undefined) resolve(responses);
      else reject(failure);
    };
    const replies = { message: (bytes: Buffer) => void responses.push(bytes), ended };
    const call = new Call(session, headers, replies, () => undefined);
    const timer = setTimeout(
      () => call.abort(new Error(`no answer in ${timeoutMs} ms`)),
      timeoutMs,
    );
    call.sendOnly(request);
  });
}

const emptyRequest = (): Buffer => new MessageWriter().frame();

const tooOld = (at: string, version: string): Diagnosis => ({
  kind: 'setting',
  sentence: `${at} is EventStoreDB ${version}, which has no BatchAppend. Use release 24.10 or later.`,
});

/** Reads a SupportedMethods. The methods are paths in lower case. */
function featuresIn(bytes: Buffer): { version: string; methods: ReadonlySet<string> } {
  const fields = new FieldReader(bytes);
  const methods = new Set<string>();
  let version = '';
  while (fields.next()) {
    if (fields.field === 1) methods.add(methodIn(fields.nested()));
    else if (fields.field === 2) version = fields.text();
    else fields.skip();
  }
  return { version, methods };
}

function methodIn(fields: FieldReader): string {
  let [method, service] = ['', ''];
  while (fields.next()) {
    if (fields.field === 1) method = fields.text();
    else if (fields.field === 2) service = fields.text();
    else fields.skip();
  }
  return `/${service}/${method}`.toLowerCase();
}

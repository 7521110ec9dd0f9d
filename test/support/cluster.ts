import {
  type ClientHttp2Session,
  connect,
  constants,
  createServer,
  type Http2Server,
  type IncomingHttpHeaders,
  type ServerHttp2Session,
  type ServerHttp2Stream,
} from 'node:http2';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { clusterLedBy } from '#test/contract/event-store-scripted-server.js';

const HOST = '127.0.0.1';
const GRPC = { ':status': 200, 'content-type': 'application/grpc' };

/** Three nodes in front of one event store. One leads and passes calls on; the others refuse them. */
export interface Cluster {
  readonly url: string;
  /** The number of calls that a follower got and that did not ask for the leader. */
  readonly asksWithoutLeader: number;
  /** Makes the leader a follower. It breaks its calls, and names the new leader. */
  demoteLeader(): void;
  /** Ends the leader, and starts it as a follower `downMs` later. Another leads after `electionMs`. */
  killLeader(electionMs: number, downMs: number): Promise<void>;
  stop(): Promise<void>;
}

/** Starts a cluster in front of a node without TLS, which the connection string names. */
export async function startCluster(url: string): Promise<Cluster> {
  const target = new URL(url.replace(/^\w+:/, 'http:'));
  let leader: Member | undefined;
  let asksWithoutLeader = 0;
  const serve = (member: Member, stream: ServerHttp2Stream, headers: IncomingHttpHeaders): void => {
    if (headers[':path']?.endsWith('.Gossip/Read')) return gossip(stream, leader?.port);
    if (member === leader) return member.pass(stream, headers);
    if (headers['requires-leader'] !== 'true') asksWithoutLeader += 1;
    refuse(stream, leader?.port);
  };
  const members = [1, 2, 3].map(() => new Member(target.host, serve));
  for (const member of members) await member.start();
  leader = members[0];
  const following = (left: Member | undefined): Member | undefined =>
    members[((left === undefined ? 0 : members.indexOf(left)) + 1) % members.length];
  const hosts = members.map(({ port }) => `${HOST}:${port}`).join(',');
  return {
    url: `esdb://${hosts}${target.search === '' ? '?tls=false' : target.search}`,
    get asksWithoutLeader() {
      return asksWithoutLeader;
    },
    demoteLeader: () => {
      const left = leader;
      leader = following(left);
      left?.breakCalls();
    },
    killLeader: async (electionMs, downMs) => {
      const left = leader;
      leader = undefined;
      left?.kill();
      await delay(electionMs);
      leader = following(left);
      await delay(downMs - electionMs);
      await left?.start();
    },
    stop: async () => {
      for (const member of members) member.kill();
    },
  };
}

type Serve = (member: Member, stream: ServerHttp2Stream, headers: IncomingHttpHeaders) => void;

class Member {
  port = 0;
  #server: Http2Server | undefined;
  #upstream: ClientHttp2Session | undefined;
  readonly #sessions = new Set<ServerHttp2Session>();
  readonly #calls = new Set<ServerHttp2Stream>();

  constructor(
    private readonly target: string,
    private readonly serve: Serve,
  ) {}

  async start(): Promise<void> {
    const server = createServer();
    server.on('session', (session) => {
      this.#sessions.add(session);
      session.on('error', () => undefined);
      session.on('close', () => this.#sessions.delete(session));
    });
    server.on('stream', (stream, headers) => {
      stream.on('error', () => undefined);
      this.serve(this, stream, headers);
    });
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(this.port, HOST, resolve);
    });
    this.port = (server.address() as AddressInfo).port;
    this.#server = server;
    this.#upstream = connect(`http://${this.target}`);
    this.#upstream.on('error', () => undefined);
  }

  kill(): void {
    this.breakCalls();
    for (const session of this.#sessions) session.destroy();
    this.#server?.close();
    this.#upstream?.destroy();
  }

  /** Breaks all calls; what the event store has done already stays done. */
  breakCalls(): void {
    for (const call of this.#calls) call.close(constants.NGHTTP2_INTERNAL_ERROR);
  }

  /** Passes a call on to the event store. */
  pass(stream: ServerHttp2Stream, { ':authority': _, ...headers }: IncomingHttpHeaders): void {
    const call = this.#upstream!.request(headers);
    this.#calls.add(stream);
    let trailers: IncomingHttpHeaders = {};
    call.on('error', () => undefined);
    call.on('trailers', (received: IncomingHttpHeaders) => (trailers = received));
    call.on('response', (head) => {
      if (stream.closed) return;
      const hasEnded = head['grpc-status'] !== undefined;
      stream.respond(head, hasEnded ? { endStream: true } : { waitForTrailers: true });
      if (!hasEnded) call.pipe(stream);
    });
    stream.on('wantTrailers', () => stream.sendTrailers(trailers));
    stream.on('close', () => {
      this.#calls.delete(stream);
      call.close();
    });
    stream.pipe(call);
  }
}

/** Answers a call as a node that does not lead; during an election it cannot name the leader. */
function refuse(stream: ServerHttp2Stream, leaderPort: number | undefined): void {
  const refusal =
    leaderPort === undefined
      ? { 'grpc-status': '14', 'grpc-message': 'Server Is Not Ready' }
      : {
          'grpc-status': '5',
          'grpc-message': 'Leader info available',
          exception: 'not-leader',
          'leader-endpoint-host': HOST,
          'leader-endpoint-port': String(leaderPort),
        };
  stream.respond({ ...GRPC, ...refusal }, { endStream: true });
}

function gossip(stream: ServerHttp2Stream, leaderPort: number | undefined): void {
  if (leaderPort === undefined) return refuse(stream, undefined);
  const message = Buffer.from(clusterLedBy(HOST, leaderPort).serializeBinary());
  const frame = Buffer.alloc(5);
  frame.writeUInt32BE(message.length, 1);
  stream.respond(GRPC, { waitForTrailers: true });
  stream.on('wantTrailers', () => stream.sendTrailers({ 'grpc-status': '0' }));
  stream.end(Buffer.concat([frame, message]));
}

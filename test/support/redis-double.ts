import { once } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';
import { LuaFactory, type LuaEngine } from 'wasmoon';
import type { OwnServer } from './servers.js';

export interface TestRedis extends OwnServer {
  /** Lets the server hang: it keeps its connections, and answers nothing until `resume`. */
  pause(): void;
  resume(): void;
}

interface Entry {
  readonly value: string;
  /** The time in ms at which the entry ends; undefined if it stays. */
  readonly until: number | undefined;
}

type Reply = string | number | null | readonly (string | null)[] | Error;

/** The commands of Redis that the product and its tests use, over RESP 2. Scripts run in a real Lua. */
export class RedisDouble implements TestRedis {
  private readonly entries = new Map<string, Entry>();
  private readonly sockets = new Set<Socket>();
  private server: Server | undefined;
  private isPaused = false;

  private constructor(
    private readonly port: number,
    private readonly lua: LuaEngine,
  ) {
    lua.global.set('call', (name: string, ...words: string[]) => {
      const reply = this.replyTo([name, ...words]);
      if (reply instanceof Error) throw reply;
      // Redis shows a missing value to a script as false.
      return reply ?? false;
    });
    lua.doStringSync('redis = { call = call }');
  }

  static async start(port: number): Promise<RedisDouble> {
    const double = new RedisDouble(port, await new LuaFactory().createEngine());
    await double.restart();
    return double;
  }

  get url(): string {
    return `redis://127.0.0.1:${this.port}`;
  }

  async restart(): Promise<void> {
    this.server = createServer((socket) => this.serve(socket)).listen(this.port, '127.0.0.1');
    await once(this.server, 'listening');
  }

  async kill(): Promise<void> {
    const { server } = this;
    if (server === undefined) return;
    const closed = once(server, 'close');
    server.close();
    for (const socket of this.sockets) socket.resetAndDestroy();
    await closed;
    this.server = undefined;
  }

  async stop(): Promise<void> {
    await this.kill();
    this.lua.global.close();
  }

  pause(): void {
    this.isPaused = true;
    for (const socket of this.sockets) socket.pause();
  }

  resume(): void {
    this.isPaused = false;
    for (const socket of this.sockets) socket.resume();
  }

  private serve(socket: Socket): void {
    let received = '';
    this.sockets.add(socket);
    socket
      .setEncoding('latin1')
      .on('data', (text: string) => {
        received += text;
        for (;;) {
          const command = commandAtStart(received);
          if (command === undefined) return;
          received = received.slice(command.length);
          socket.write(encoded(this.replyTo(command.words)));
        }
      })
      .on('error', () => undefined)
      .on('close', () => this.sockets.delete(socket));
    if (this.isPaused) socket.pause();
  }

  private replyTo([name = '', ...words]: readonly string[]): Reply {
    switch (name.toUpperCase()) {
      case 'CLIENT':
        return 'OK';
      case 'GET':
        return this.get(words[0]!);
      case 'MGET':
        return words.map((key) => this.get(key));
      case 'SET':
        return this.set(words);
      case 'PTTL':
        return Math.ceil((this.entries.get(words[0]!)?.until ?? 0) - Date.now());
      case 'KEYS':
        return [...this.entries.keys()].filter((key) => matches(key, words[0]!));
      case 'FLUSHALL':
        this.entries.clear();
        return 'OK';
      case 'EVAL':
        return this.evaluate(words);
      default:
        return new Error(`ERR unknown command '${name}'`);
    }
  }

  private get(key: string): string | null {
    const entry = this.entries.get(key);
    return entry === undefined || (entry.until ?? Infinity) <= Date.now() ? null : entry.value;
  }

  private set([key = '', value = '', option, lifetime]: readonly string[]): string {
    const until = option === 'PX' ? Date.now() + Number(lifetime) : undefined;
    this.entries.set(key, { value, until });
    return 'OK';
  }

  private evaluate([script = '', count, ...words]: readonly string[]): Reply {
    this.lua.global.set('KEYS', words.slice(0, Number(count)));
    this.lua.global.set('ARGV', words.slice(Number(count)));
    return this.lua.doStringSync(script) as Reply;
  }
}

/** Returns the command with which the received bytes begin; undefined if it is not whole yet. */
function commandAtStart(
  received: string,
): { readonly words: readonly string[]; readonly length: number } | undefined {
  let at = 0;
  const line = (): string | undefined => {
    const end = received.indexOf('\r\n', at);
    if (end < 0) return undefined;
    const text = received.slice(at + 1, end);
    at = end + 2;
    return text;
  };
  const count = line();
  if (count === undefined) return undefined;
  const words: string[] = [];
  for (let index = 0; index < Number(count); index += 1) {
    const size = line();
    if (size === undefined || received.length < at + Number(size) + 2) return undefined;
    words.push(Buffer.from(received.slice(at, at + Number(size)), 'latin1').toString());
    at += Number(size) + 2;
  }
  return { words, length: at };
}

function encoded(reply: Reply): string | Buffer {
  if (reply instanceof Error) return `-${reply.message}\r\n`;
  if (reply === null) return '$-1\r\n';
  if (typeof reply === 'number') return `:${reply}\r\n`;
  if (typeof reply === 'string') return `$${Buffer.byteLength(reply)}\r\n${reply}\r\n`;
  return `*${reply.length}\r\n${reply.map((each) => encoded(each)).join('')}`;
}

/** True if a key matches a pattern of Redis, in which `*` is the only special character here. */
const matches = (key: string, pattern: string): boolean =>
  new RegExp(`^${pattern.split('*').map(literal).join('.*')}$`).test(key);

const literal = (text: string): string => text.replace(/[.+?^${}()|[\]\\]/g, '\\$&');

import {
  BACKWARDS,
  END,
  EventStoreDBClient,
  jsonEvent,
  NO_STREAM,
  NotLeaderError,
  StreamNotFoundError,
  WrongExpectedVersionError,
} from '@eventstore/db-client';
import usersPb from '@eventstore/db-client/generated/users_pb.js';
import { status } from '@grpc/grpc-js';
import type { JsonObject } from '#domain/json.js';
import { FRAME_HEADER, writeFrameHeader } from '#event-store-protocol/frames.js';
import { Link } from '../connection.js';
import type { ConnectionSettings } from '../connection-string.js';
import { READ, readAllBackwardsRequest } from '../protocol/read.js';

export interface ServerUser {
  readonly name: string;
  readonly fullName: string;
  readonly groups: readonly string[];
  readonly isDisabled: boolean;
}

/** The last event of a stream of the server's own. */
export interface SystemEvent {
  /** The event's number; -1 if the stream has no event. */
  readonly number: number;
  readonly data: JsonObject;
}

const TIMEOUT_MS = 5000;
const TRIES = 5;
const BETWEEN_TRIES_MS = 200;
const USERS = '/event_store.client.users.Users';

/**
 * The calls of an administrator: users, and the server's own streams. They go through the official client, which
 * finds the leader. Each fails if no answer comes in 5 s.
 */
export class AdminClient extends EventStoreDBClient {
  private link!: Link;

  static to(settings: ConnectionSettings): AdminClient {
    // As in `NodeClient`: `connectionString` always makes an object of the base class. Such an object cannot
    // have `#` members.
    const official = super.connectionString(settings.official);
    const admin = Object.setPrototypeOf(official, AdminClient.prototype) as AdminClient;
    admin.link = new Link(settings, () => undefined);
    return admin;
  }

  /** Moves to the leader, if the node answers and names another one. Only the leader knows of users. */
  async findLeader(): Promise<void> {
    await this.ask(READ, readAllBackwardsRequest(1)).catch(() => undefined);
  }

  /** Returns a user; undefined if it does not exist. */
  async user(name: string): Promise<ServerUser | undefined> {
    const request = new usersPb.DetailsReq().setOptions(
      new usersPb.DetailsReq.Options().setLoginName(name),
    );
    try {
      return firstUser(await this.ask(`${USERS}/Details`, frameOf(request)));
    } catch (error) {
      if (statusOf(error) === status.NOT_FOUND) return undefined;
      throw error;
    }
  }

  /** Fails with ALREADY_EXISTS if the user exists. */
  async createUser(name: string, password: string, groups: readonly string[]): Promise<void> {
    const options = new usersPb.CreateReq.Options().setLoginName(name).setFullName(name);
    options.setPassword(password).setGroupsList([...groups]);
    const request = new usersPb.CreateReq().setOptions(options);
    await this.ask(`${USERS}/Create`, frameOf(request));
  }

  async setGroups({ name, fullName }: ServerUser, groups: readonly string[]): Promise<void> {
    const options = new usersPb.UpdateReq.Options().setLoginName(name).setFullName(fullName);
    const request = new usersPb.UpdateReq().setOptions(options.setGroupsList([...groups]));
    await this.ask(`${USERS}/Update`, frameOf(request));
  }

  async setPassword(name: string, password: string): Promise<void> {
    const options = new usersPb.ResetPasswordReq.Options().setLoginName(name);
    const request = new usersPb.ResetPasswordReq().setOptions(options.setNewPassword(password));
    await this.ask(`${USERS}/ResetPassword`, frameOf(request));
  }

  async lastOf(stream: string): Promise<SystemEvent> {
    let last: SystemEvent = { number: -1, data: {} };
    try {
      await onLeader(namesLeader, () =>
        inTime(async () => {
          const options = { direction: BACKWARDS, fromRevision: END, maxCount: 1 } as const;
          for await (const { event } of this.readStream(stream, {
            ...options,
            requiresLeader: true,
          }))
            if (event?.isJson)
              last = { number: Number(event.revision), data: event.data as JsonObject };
        }),
      );
    } catch (error) {
      if (!(error instanceof StreamNotFoundError)) throw error;
    }
    return last;
  }

  /** Appends an event after the event with this number. Returns false if the stream has another event there. */
  async append(stream: string, after: number, type: string, data: JsonObject): Promise<boolean> {
    const expectedRevision = after === -1 ? NO_STREAM : BigInt(after);
    try {
      await onLeader(namesLeader, () =>
        inTime(() =>
          this.appendToStream(stream, jsonEvent({ type, data }), {
            expectedRevision,
            requiresLeader: true,
          }),
        ),
      );
      return true;
    } catch (error) {
      if (error instanceof WrongExpectedVersionError) return false;
      throw error;
    }
  }

  async close(): Promise<void> {
    this.link.close();
    await this.dispose();
    (await this.getChannel()).close();
  }

  /**
   * Calls a method on the leader. The calls do not go through grpc-js, which cannot read an answer that is empty
   * and compressed, as KurrentDB 25.1 sends it; these ask for answers that are not compressed.
   */
  private ask(method: string, request: Buffer): Promise<readonly Buffer[]> {
    return onLeader(
      (failure) => this.link.mayMove(failure),
      () =>
        inTime(
          () =>
            new Promise<readonly Buffer[]>((resolve, reject) => {
              const answers: Buffer[] = [];
              this.link
                .open(method, {
                  message: (bytes) => void answers.push(Buffer.from(bytes)),
                  ended: (failure) => (failure === undefined ? resolve(answers) : reject(failure)),
                })
                .then((call) => call.sendOnly(request), reject);
            }),
        ),
    );
  }
}

/** Does the work again while the node is not the leader; each try goes to the leader that the last one named. */
async function onLeader<Result>(
  mayMove: (failure: unknown) => boolean,
  work: () => Promise<Result>,
): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (failure) {
      if (attempt === TRIES || !mayMove(failure)) throw failure;
      await new Promise((resolve) => setTimeout(resolve, BETWEEN_TRIES_MS));
    }
  }
}

const namesLeader = (failure: unknown): boolean => failure instanceof NotLeaderError;

function frameOf(request: { serializeBinary(): Uint8Array }): Buffer {
  const body = request.serializeBinary();
  const frame = Buffer.alloc(FRAME_HEADER + body.length);
  frame.set(body, writeFrameHeader(frame, 0, body.length));
  return frame;
}

/** Returns the gRPC status of a failed call; undefined for any other failure. */
export const statusOf = (error: unknown): unknown =>
  error instanceof Error && 'code' in error ? error.code : undefined;

function firstUser(answers: readonly Buffer[]): ServerUser | undefined {
  let first: ServerUser | undefined;
  for (const answer of answers) {
    const details = usersPb.DetailsResp.deserializeBinary(answer).getUserDetails();
    if (details !== undefined)
      first ??= {
        name: details.getLoginName(),
        fullName: details.getFullName(),
        groups: details.getGroupsList(),
        isDisabled: details.getDisabled(),
      };
  }
  return first;
}

async function inTime<Result>(work: () => Promise<Result>): Promise<Result> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer in ${TIMEOUT_MS} ms`)), TIMEOUT_MS);
  });
  try {
    return await Promise.race([work(), late]);
  } finally {
    clearTimeout(timer);
  }
}

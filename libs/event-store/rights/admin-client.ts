import {
  BACKWARDS,
  END,
  EventStoreDBClient,
  jsonEvent,
  NO_STREAM,
  StreamNotFoundError,
  WrongExpectedVersionError,
} from '@eventstore/db-client';
import grpcUsers from '@eventstore/db-client/generated/users_grpc_pb.js';
import usersPb, { type DetailsResp } from '@eventstore/db-client/generated/users_pb.js';
import {
  type CallOptions,
  credentials,
  type Metadata,
  type ServiceError,
  status,
} from '@grpc/grpc-js';
import type { JsonObject } from '#domain/json.js';

/** A user of the server. */
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

type UsersClient = InstanceType<typeof grpcUsers.UsersClient>;
type Answer<Response> = (error: ServiceError | null, response: Response) => void;
type Arguments = readonly [metadata: Metadata, options: CallOptions];

/**
 * The calls of an administrator: users, and the server's own streams. They go through the official client, which
 * finds the leader. Each fails if no answer comes in 5 s.
 */
export class AdminClient extends EventStoreDBClient {
  static to(url: string): AdminClient {
    // As in `NodeClient`: `connectionString` always makes an object of the base class. Such an object cannot
    // have `#` members.
    return Object.setPrototypeOf(super.connectionString(url), AdminClient.prototype) as AdminClient;
  }

  /** Returns a user; undefined if it does not exist. */
  async user(name: string): Promise<ServerUser | undefined> {
    const request = new usersPb.DetailsReq().setOptions(
      new usersPb.DetailsReq.Options().setLoginName(name),
    );
    try {
      return await firstUser((await this.users()).details(request, ...this.callWith()));
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
    await this.ask((client, args, answer) => client.create(request, ...args, answer));
  }

  async setGroups({ name, fullName }: ServerUser, groups: readonly string[]): Promise<void> {
    const options = new usersPb.UpdateReq.Options().setLoginName(name).setFullName(fullName);
    const request = new usersPb.UpdateReq().setOptions(options.setGroupsList([...groups]));
    await this.ask((client, args, answer) => client.update(request, ...args, answer));
  }

  async setPassword(name: string, password: string): Promise<void> {
    const options = new usersPb.ResetPasswordReq.Options().setLoginName(name);
    const request = new usersPb.ResetPasswordReq().setOptions(options.setNewPassword(password));
    await this.ask((client, args, answer) => client.resetPassword(request, ...args, answer));
  }

  async lastOf(stream: string): Promise<SystemEvent> {
    let last: SystemEvent = { number: -1, data: {} };
    try {
      await inTime(async () => {
        const options = { direction: BACKWARDS, fromRevision: END, maxCount: 1 } as const;
        for await (const { event } of this.readStream(stream, { ...options, requiresLeader: true }))
          if (event?.isJson)
            last = { number: Number(event.revision), data: event.data as JsonObject };
      });
    } catch (error) {
      if (!(error instanceof StreamNotFoundError)) throw error;
    }
    return last;
  }

  /** Appends an event after the event with this number. Returns false if the stream has another event there. */
  async append(stream: string, after: number, type: string, data: JsonObject): Promise<boolean> {
    const expectedRevision = after === -1 ? NO_STREAM : BigInt(after);
    try {
      await inTime(() =>
        this.appendToStream(stream, jsonEvent({ type, data }), {
          expectedRevision,
          requiresLeader: true,
        }),
      );
      return true;
    } catch (error) {
      if (error instanceof WrongExpectedVersionError) return false;
      throw error;
    }
  }

  async close(): Promise<void> {
    await this.dispose();
    (await this.getChannel()).close();
  }

  private async ask<Response>(
    call: (client: UsersClient, args: Arguments, answer: Answer<Response>) => unknown,
  ): Promise<Response> {
    const users = await this.users();
    return new Promise((resolve, reject) => {
      call(users, this.callWith(), (error, response) =>
        error === null ? resolve(response) : reject(error),
      );
    });
  }

  /**
   * Returns a client of the Users service on the channel to the current node. The official client's own way to make
   * one ends the process if a refusal comes without a trailer that it expects.
   */
  private async users(): Promise<UsersClient> {
    const channelOverride = await this.getChannel();
    return new grpcUsers.UsersClient('', credentials.createInsecure(), { channelOverride });
  }

  private callWith(): Arguments {
    return this.callArguments({ deadline: TIMEOUT_MS });
  }
}

/** Returns the gRPC status of a failed call; undefined for any other failure. */
export const statusOf = (error: unknown): unknown =>
  error instanceof Error && 'code' in error ? error.code : undefined;

async function firstUser(users: AsyncIterable<unknown>): Promise<ServerUser | undefined> {
  let first: ServerUser | undefined;
  for await (const response of users) {
    const details = (response as DetailsResp).getUserDetails();
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

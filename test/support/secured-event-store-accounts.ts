import grpcUsers from '@eventstore/db-client/generated/users_grpc_pb.js';
import usersPb, {
  type CreateReq,
  type CreateResp,
  type DetailsReq,
  type DetailsResp,
  type ResetPasswordReq,
  type ResetPasswordResp,
  type UpdateReq,
  type UpdateResp,
} from '@eventstore/db-client/generated/users_pb.js';
import {
  Metadata,
  type sendUnaryData,
  type Server,
  type ServerUnaryCall,
  type ServerWritableStream,
  status,
} from '@grpc/grpc-js';

export interface Account {
  password: string;
  groups: readonly string[];
  fullName: string;
  isDisabled: boolean;
}

/** The password of the user `admin`. */
export const ADMIN_PASSWORD = 'changeit';

/** The users of a server, and the service through which administrators change them. */
export class Accounts {
  readonly all = new Map<string, Account>();

  constructor() {
    this.add('admin', ADMIN_PASSWORD, ['$admins']);
    this.add('ops', ADMIN_PASSWORD, ['$ops']);
  }

  add(name: string, password: string, groups: readonly string[] = []): Account {
    const account = { password, groups, fullName: name, isDisabled: false };
    this.all.set(name, account);
    return account;
  }

  /** Returns the name and the groups of the caller; undefined if its password is wrong. */
  namesOf(metadata: Metadata): readonly string[] | undefined {
    const [header] = metadata.get('authorization');
    const text = Buffer.from(String(header ?? '').replace('Basic ', ''), 'base64').toString();
    const [name = '', ...password] = text.split(':');
    const account = this.all.get(name);
    if (account === undefined || account.isDisabled || account.password !== password.join(':'))
      return undefined;
    return [name, ...account.groups];
  }

  serveOn(server: Server): void {
    server.addService(grpcUsers.UsersService, {
      create: (call: ServerUnaryCall<CreateReq, CreateResp>, answer: sendUnaryData<CreateResp>) => {
        const options = call.request.getOptions()!;
        const name = options.getLoginName();
        const refusal = this.#refusal(call.metadata);
        if (refusal !== undefined) return answer(refusal);
        if (this.all.has(name)) return answer(failure(status.ALREADY_EXISTS, 'user-conflict'));
        this.add(name, options.getPassword(), options.getGroupsList()).fullName =
          options.getFullName();
        answer(null, new usersPb.CreateResp());
      },
      update: (call: ServerUnaryCall<UpdateReq, UpdateResp>, answer: sendUnaryData<UpdateResp>) => {
        const options = call.request.getOptions()!;
        const account = this.#found(call.metadata, options.getLoginName());
        if ('code' in account) return answer(account);
        account.groups = options.getGroupsList();
        account.fullName = options.getFullName();
        answer(null, new usersPb.UpdateResp());
      },
      resetPassword: (
        call: ServerUnaryCall<ResetPasswordReq, ResetPasswordResp>,
        answer: sendUnaryData<ResetPasswordResp>,
      ) => {
        const options = call.request.getOptions()!;
        const account = this.#found(call.metadata, options.getLoginName());
        if ('code' in account) return answer(account);
        account.password = options.getNewPassword();
        answer(null, new usersPb.ResetPasswordResp());
      },
      details: (call: ServerWritableStream<DetailsReq, DetailsResp>) => {
        const name = call.request.getOptions()!.getLoginName();
        const account = this.#found(call.metadata, name);
        if ('code' in account) return void call.emit('error', account);
        const details = new usersPb.DetailsResp.UserDetails().setLoginName(name);
        details.setFullName(account.fullName).setGroupsList([...account.groups]);
        details.setDisabled(account.isDisabled);
        call.write(new usersPb.DetailsResp().setUserDetails(details));
        call.end();
      },
      delete: unscripted,
      disable: unscripted,
      enable: unscripted,
      changePassword: unscripted,
    });
  }

  #found(metadata: Metadata, name: string): Account | ReturnType<typeof failure> {
    return (
      this.#refusal(metadata) ?? this.all.get(name) ?? failure(status.NOT_FOUND, 'user-not-found')
    );
  }

  #refusal(metadata: Metadata): ReturnType<typeof failure> | undefined {
    const names = this.namesOf(metadata);
    if (names === undefined) return failure(status.UNAUTHENTICATED, 'not-authenticated');
    return names.includes('$admins')
      ? undefined
      : failure(status.PERMISSION_DENIED, 'access-denied');
  }
}

const unscripted = (_: unknown, answer: sendUnaryData<never>): void =>
  answer({ code: status.UNIMPLEMENTED, details: 'not scripted' });

function failure(code: status, exception: string) {
  const metadata = new Metadata();
  metadata.set('exception', exception);
  return { code, details: exception, metadata };
}

import { MessageWriter } from '#event-store-protocol/protobuf.js';
import { type Call, type CallHandler } from '../protocol/grpc-server.js';

/** The version of EventStoreDB that this node imitates. */
const SERVER_VERSION = '24.10.0';

const writer = new MessageWriter();

/** Serves ServerFeatures.GetSupportedMethods. The paths are in lower case, as the client compares them. */
export function serverFeatures(paths: readonly string[], call: Call): CallHandler {
  return {
    message() {
      writer.text(2, SERVER_VERSION);
      for (const path of paths.toReversed()) writeMethod(path);
      call.send(writer.frame());
      call.finish();
    },
  };
}

function writeMethod(path: string): void {
  const [, service = '', method = ''] = path.toLowerCase().split('/');
  const supported = writer.mark;
  writer.text(2, service);
  writer.text(1, method);
  writer.close(1, supported);
}

import { freePort } from '#embedded/supervisor.js';
import { atExit } from '#test/support/at-exit.js';
import { ServiceClient } from '#test/support/service-client.js';
import { ServiceProcess } from '#test/support/service-process.js';
import { TEST_KEYS } from '#test/support/test-keys.js';
import { temporaryFolder } from '#test/support/temporary-folder.js';

/** A service in a separate process that keeps its address after a restart. */
export class KillableService extends ServiceClient {
  private readonly forget: () => void;
  private readonly folder = temporaryFolder('service');

  private constructor(
    port: number,
    private readonly environment: Readonly<Record<string, string>>,
    private process_: ServiceProcess | undefined = undefined,
  ) {
    super(`http://127.0.0.1:${port}`, TEST_KEYS.MACE_JWT_SECRET);
    this.forget = atExit(this.end);
  }

  static async start(servers: Readonly<Record<string, string>>): Promise<KillableService> {
    const port = await freePort();
    const service = new KillableService(port, { ...TEST_KEYS, ...servers, PORT: String(port) });
    await service.restart();
    return service;
  }

  /** Sends SIGKILL, so that the service cannot finish its work, and waits for its end. */
  async kill(): Promise<void> {
    await this.process_?.stop('SIGKILL');
  }

  async restart(): Promise<void> {
    this.process_ = ServiceProcess.spawn(this.folder.path, this.environment);
    await this.process_.ready();
  }

  async stop(): Promise<void> {
    this.forget();
    await this.process_?.stop();
    this.folder.remove();
  }

  private readonly end = (): void => {
    this.process_?.child.kill('SIGKILL');
  };
}

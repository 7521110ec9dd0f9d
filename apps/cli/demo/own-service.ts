import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MaceClient } from '#client/mace-client.js';
import type { Role } from '#platform/auth/roles.js';
import { mintedToken } from '../token/minted-token.js';

/** A service on a folder of its own, gone without a trace after `stop`. */
export interface OwnService {
  readonly url: string;
  /** Room for the demo's own files. */
  readonly folder: string;
  /** A client that acts as `sub`. */
  as(sub: string, role: Role, userId?: string): Promise<MaceClient>;
  stop(): Promise<void>;
}

const HOUR_SECONDS = 3_600;

/** Starts the service on a temporary data dir and a free port, whatever the environment says of another one. */
export async function startOwnService(): Promise<OwnService> {
  // Loaded when they are needed: they would make every other command slower.
  const { readConfig } = await import('#platform/config/service-config.js');
  const { openLogger } = await import('#platform/start/logger.js');
  const { openServers } = await import('../../api/platform/start/servers.js');
  const { startService } = await import('../../api/platform/start/service.js');

  const folder = await mkdtemp(join(tmpdir(), 'mace-demo-'));
  const remove = () => rm(folder, { recursive: true, force: true, maxRetries: 5 });
  const env = { MACE_DATA_DIR: join(folder, 'data'), PORT: '0', MACE_LOG_LEVEL: 'fatal' };
  const logger = openLogger('fatal');
  try {
    const config = await readConfig(env);
    const servers = await openServers(config, logger);
    const service = await startService(config, servers, logger).catch(async (error: unknown) => {
      await servers.stop();
      throw error;
    });
    return {
      url: service.url,
      folder,
      as: async (sub, role, user_id) => {
        const token = await mintedToken(env, { sub, roles: [role], user_id, ttl: HOUR_SECONDS });
        return new MaceClient({ baseUrl: service.url, token });
      },
      stop: async () => {
        await service.stop();
        await servers.stop();
        await remove();
      },
    };
  } catch (error) {
    await remove();
    throw error;
  }
}

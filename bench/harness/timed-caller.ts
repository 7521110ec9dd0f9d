import { Agent, request } from 'node:http';
import type { RunningService } from './service.js';

/** One caller on one keep-alive connection. It measures the time in ms until each answer is complete. */
export class TimedCaller {
  private readonly agent = new Agent({ keepAlive: true, maxSockets: 1 });

  constructor(private readonly service: RunningService) {}

  /** Sends a POST. Fails if the status is not a success. */
  post(path: string, body: object): Promise<number> {
    const { url, token } = this.service;
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const options = { agent: this.agent, headers, method: 'POST' };
    return new Promise((resolve, reject) => {
      const began = performance.now();
      request(`${url}${path}`, options, (answer) => {
        answer.resume().once('end', () => {
          if ((answer.statusCode ?? 500) < 300) resolve(performance.now() - began);
          else reject(new Error(`POST ${path}: ${answer.statusCode}`));
        });
      })
        .once('error', reject)
        .end(JSON.stringify(body));
    });
  }

  close(): void {
    this.agent.destroy();
  }
}

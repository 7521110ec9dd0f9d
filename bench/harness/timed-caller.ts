import { Agent, request } from 'node:http';
import type { RunningService } from './service.js';

/** One caller on one keep-alive connection. It measures the time in ms until each answer is complete. */
export class TimedCaller {
  private readonly agent = new Agent({ keepAlive: true, maxSockets: 1 });

  constructor(private readonly service: RunningService) {}

  get(path: string): Promise<number> {
    return this.send('GET', path, '');
  }

  post(path: string, body: object): Promise<number> {
    return this.send('POST', path, JSON.stringify(body));
  }

  /** Sends a request. Fails if the status is not a success. */
  private send(method: string, path: string, body: string): Promise<number> {
    const { url, token } = this.service;
    const type = body === '' ? {} : { 'content-type': 'application/json' };
    const headers = { authorization: `Bearer ${token}`, ...type };
    const options = { agent: this.agent, headers, method };
    return new Promise((resolve, reject) => {
      const began = performance.now();
      request(`${url}${path}`, options, (answer) => {
        answer.resume().once('end', () => {
          if ((answer.statusCode ?? 500) < 300) resolve(performance.now() - began);
          else reject(new Error(`${method} ${path}: ${answer.statusCode}`));
        });
      })
        .once('error', reject)
        .end(body);
    });
  }

  close(): void {
    this.agent.destroy();
  }
}

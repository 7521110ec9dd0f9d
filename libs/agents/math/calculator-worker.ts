import { parentPort } from 'node:worker_threads';
import { carryOut } from './carry-out.js';
import type { MathTask } from './task.js';

// The other end of calculator.ts: one task in, one result out.
parentPort?.on('message', (task: MathTask) => parentPort?.postMessage(carryOut(task)));
parentPort?.postMessage('ready');

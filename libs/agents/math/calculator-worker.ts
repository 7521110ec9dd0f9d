import { parentPort } from 'node:worker_threads';
import { carryOut } from './carry-out.js';
import type { MathTask } from './task.js';

// The worker side of calculator.ts. Each message is one task, and each reply is its result.
parentPort?.on('message', (task: MathTask) => parentPort?.postMessage(carryOut(task)));
parentPort?.postMessage('ready');

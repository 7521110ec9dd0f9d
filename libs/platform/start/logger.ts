import { pino, type DestinationStream, type Logger } from 'pino';
import type { LogLevel } from '../config/service-config.js';

/** Writes structured log lines to stderr; stdout is for messages to the user. */
export const openLogger = (
  level: LogLevel,
  destination: DestinationStream = pino.destination({ fd: 2, sync: false }),
): Logger =>
  pino(
    {
      level,
      base: null,
      timestamp: () => `,"timestamp":"${new Date().toISOString()}"`,
      formatters: { level: (label) => ({ level: label }) },
    },
    destination,
  );

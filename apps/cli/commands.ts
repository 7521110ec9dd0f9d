import type { Command } from 'commander';

/** Each command with its module, in the order of the help. */
export const COMMANDS = new Map<string, () => Promise<(program: Command) => unknown>>([
  ['demo', async () => (await import('./demo/demo.command.js')).addDemoCommand],
  ['sample', async () => (await import('./sample/sample.command.js')).addSampleCommand],
  ['token', async () => (await import('./token/token.command.js')).addTokenCommand],
  ['login', async () => (await import('./login/login.command.js')).addLoginCommand],
  ['logout', async () => (await import('./login/logout.command.js')).addLogoutCommand],
  ['console', async () => (await import('./console/console.command.js')).addConsoleCommand],
  ['mcp', async () => (await import('./mcp/mcp.command.js')).addMcpCommand],
  ['import', async () => (await import('./import/import.command.js')).addImportCommand],
  ...(
    [
      ['remember', 'addRememberCommand'],
      ['recall', 'addRecallCommand'],
      ['forget', 'addForgetCommand'],
    ] as const
  ).map(
    ([name, add]) =>
      [name, async () => (await import('./memories/memories.command.js'))[add]] as const,
  ),
  ['search', async () => (await import('./search/search.command.js')).addSearchCommand],
  ['evaluate', async () => (await import('./evaluate/evaluate.command.js')).addEvaluateCommand],
  ['replay', async () => (await import('./replay/replay.command.js')).addReplayCommand],
  ['at', async () => (await import('./at/at.command.js')).addAtCommand],
  ['export', async () => (await import('./export/export.command.js')).addExportCommand],
  ['verify', async () => (await import('./verify/verify.command.js')).addVerifyCommand],
  ['keys', async () => (await import('./keys/keys.command.js')).addKeysCommand],
  [
    'checkpoint',
    async () => (await import('./checkpoint/checkpoint.command.js')).addCheckpointCommand,
  ],
  ['rebuild', async () => (await import('./rebuild/rebuild.command.js')).addRebuildCommand],
  ['queue', async () => (await import('./queue/queue.command.js')).addQueueCommand],
  ['retention', async () => (await import('./retention/retention.command.js')).addRetentionCommand],
  ['copy-log', async () => (await import('./copy-log/copy-log.command.js')).addCopyLogCommand],
  ['backup', async () => (await import('./backup/backup.command.js')).addBackupCommand],
  ['restore', async () => (await import('./backup/restore.command.js')).addRestoreCommand],
  [
    'event-store',
    async () => (await import('./event-store/event-store.command.js')).addEventStoreCommand,
  ],
]);

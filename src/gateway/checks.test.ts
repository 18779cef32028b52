import { expect, test } from 'vitest';
import { AppError } from '../kernel/errors.ts';
import type { Backend } from './backends/backend.ts';
import { serverChecks } from './checks.ts';
import type { BackendSettings } from './settings.ts';

test('a server shows its number of tools, or what is wrong and how to fix it', () => {
  const settings = { transport: { kind: 'stdio' } };
  const far = { transport: { kind: 'http' } };
  const error = new AppError('unavailable', 'The process exited with code 1');
  const lastError = { error, message: error.message, at: '' };
  const backends = [
    { name: 'up', state: 'RUNNING', settings, catalogue: { tools: Array.from({ length: 9 }), version: '2025-11-25' } },
    { name: 'down', state: 'FAILED', settings, lastError },
    { name: 'slow', state: 'STARTING', settings },
    { name: 'tried again', state: 'STARTING', settings, lastError },
    { name: 'partly', state: 'DEGRADED', settings: far, lastError, urls: () => [{ state: 'RUNNING' }] },
  ] as unknown as Backend[];
  const servers = { up: { enabled: true }, off: { enabled: false } } as unknown as Record<string, BackendSettings>;
  expect(serverChecks({ backends: () => backends }, servers)).toEqual([
    { check: 'server up', result: 'ok', detail: '9 tools (stdio, 2025-11-25)' },
    {
      check: 'server down',
      result: 'failed',
      detail: lastError.message,
      fix: 'Run its command by hand to see why it exits.',
    },
    {
      check: 'server slow',
      result: 'warning',
      detail: 'is still starting',
      fix: 'Look again in a moment.',
      unsettled: true,
    },
    {
      check: 'server tried again',
      result: 'failed',
      detail: lastError.message,
      fix: 'Run its command by hand to see why it exits.',
    },
    expect.objectContaining({ check: 'server partly', result: 'warning', detail: lastError.message }),
    { check: 'server off', result: 'ok', detail: 'switched off' },
  ]);
});

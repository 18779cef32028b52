import { constants } from 'node:fs';
import { access as accessible, mkdir, stat } from 'node:fs/promises';
import { createServer } from 'node:net';
import { messageOf } from '../kernel/errors.ts';
import type { Check } from './check.ts';
import { listen } from './listen.ts';
import type { Absent } from './part.ts';
import type { Exposed } from './permissions.ts';

/** What doctor needs to know about the configuration. */
export type Examined =
  | {
      file?: string;
      host: string;
      port: number;
    }
  | { file?: string; problems: { where: string; message: string; fix: string }[] };

const NEEDED_NODE = 24;

export function nodeCheck(version: string): Check {
  const fits = Number(/^v?(\d+)/.exec(version)?.[1]) >= NEEDED_NODE;
  if (fits) return { check: 'node', result: 'ok', detail: version };
  return {
    check: 'node',
    result: 'failed',
    detail: `${version} is too old`,
    fix: `Install Node ${NEEDED_NODE} or newer.`,
  };
}

export function configChecks(examined: Examined): Check[] {
  const check = 'configuration';
  if ('problems' in examined) {
    return examined.problems.map(({ where, message, fix }) => ({
      check,
      result: 'failed',
      detail: [examined.file, where, message].filter(Boolean).join(': '),
      fix,
    }));
  }
  if (examined.file !== undefined) return [{ check, result: 'ok', detail: examined.file }];
  return [{ check, result: 'ok', detail: 'no file: defaults and environment (sluice init writes one)' }];
}

export async function homeCheck(home: string): Promise<Check> {
  const check = 'data directory';
  try {
    await mkdir(home, { recursive: true, mode: 0o700 });
    await accessible(home, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    const fix = 'Make it a directory that you can write to, or set SLUICE_HOME to another one.';
    return { check, result: 'failed', detail: `cannot use ${home}: ${messageOf(error)}`, fix };
  }
  if (await isPrivate(home)) return { check, result: 'ok', detail: home };
  return {
    check,
    result: 'warning',
    detail: `${home} is open to other users of this machine`,
    fix: `chmod 700 ${home}`,
  };
}

/** Files with secrets that other users could open. The data directory has its own check. */
export function exposedChecks(exposed: readonly Exposed[], home: string): Check[] {
  return exposed
    .filter(({ path }) => path !== home)
    .map(({ path, problem, fix }) => ({ check: 'secrets', result: 'warning', detail: `${path} ${problem}`, fix }));
}

async function isPrivate(path: string): Promise<boolean> {
  return process.platform === 'win32' || ((await stat(path)).mode & 0o077) === 0;
}

export async function portCheck(host: string, port: number): Promise<Check> {
  const check = 'port';
  const server = createServer();
  try {
    await listen(server, { port, host });
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const detail =
      code === 'EADDRINUSE'
        ? `${host}:${port} is in use by another program`
        : `cannot listen on ${host}:${port}: ${message}`;
    return {
      check,
      result: 'failed',
      detail,
      fix: 'Stop the program that uses it, or set server.port to another port.',
    };
  }
  await new Promise((closed) => server.close(closed));
  return { check, result: 'ok', detail: `${host}:${port} is free` };
}

/** Things that could be connected but are not. */
export function notConnectedChecks(missing: readonly Absent[]): Check[] {
  return missing
    .filter(({ optional }) => !optional)
    .map(({ name, reason }) => ({ check: name, result: 'warning', detail: `not connected: ${reason}` }));
}

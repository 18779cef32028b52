import { z } from 'zod';
import type { Fill } from '../host/config/fill.ts';
import { flag, integer } from '../host/config/scalars.ts';
import { atStart } from '../host/config/at-start.ts';
import type { Env } from '../host/part.ts';
import { own } from '../kernel/own.ts';

/** `GET /metrics`. */
const metricsSection = z.strictObject({
  enabled: atStart(flag.default(true)),
  /** Whether Prometheus may read it without a key. */
  public: flag.default(false),
  /** How many tools have their own series. The rest of each source counts as one. */
  maxTools: atStart(integer(1, 10_000).default(500)),
});

export const telemetrySettings = {
  metrics: metricsSection.prefault({}),
  logLevel: z.enum(['debug', 'info', 'warn', 'error']).default('info'),
  /** Default: text on a terminal, JSON elsewhere. */
  logFormat: atStart(z.enum(['json', 'text']).optional()),
};

const LEVELS: Record<string, string> = {
  trace: 'debug',
  verbose: 'debug',
  debug: 'debug',
  info: 'info',
  notice: 'info',
  warn: 'warn',
  warning: 'warn',
  error: 'error',
  critical: 'error',
  fatal: 'error',
};

const FORMATS: Record<string, string> = { json: 'json', text: 'text', pretty: 'text', console: 'text' };

export const logFills = (env: Env): Fill[] => [...levelFills(env), ...formatFills(env)];

function levelFills(env: Env): Fill[] {
  const path = ['logLevel'];
  // Other programs use DEBUG too, with names in it. Only "on" values are meant for us.
  const debug = ['MCP_N8N_DEBUG', 'DEBUG'].find((variable) => isOn(env[variable]));
  if (debug !== undefined) return [{ variable: debug, path, value: 'debug' }];
  const variable = env.MCP_N8N_LOG_LEVEL ? 'MCP_N8N_LOG_LEVEL' : 'LOG_LEVEL';
  const given = env[variable];
  if (!given) return [];
  const value = own(LEVELS, given.trim().toLowerCase());
  const problem = { message: 'is not a log level', fix: 'Set it to debug, info, warn or error.' };
  return [{ variable, path, value, problem: value === undefined ? problem : undefined }];
}

function formatFills({ LOG_FORMAT: given }: Env): Fill[] {
  if (!given) return [];
  const value = own(FORMATS, given.trim().toLowerCase());
  const problem = { message: 'is not a log format', fix: 'Set it to json or text.' };
  return [{ variable: 'LOG_FORMAT', path: ['logFormat'], value, problem: value === undefined ? problem : undefined }];
}

function isOn(given: string | undefined): boolean {
  return given !== undefined && ['1', 'true', 'yes', 'on'].includes(given.trim().toLowerCase());
}

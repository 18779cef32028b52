import { resolve, sep } from 'node:path';
import { realpathSync } from 'node:fs';
import { AppError } from '../kernel/errors.ts';
import type { Json } from '../kernel/source.ts';
import type { BackendSettings } from './settings.ts';

/** Refuses a call whose path argument leads out of the directories its server is held to. */
export function checkPaths(settings: BackendSettings, tool: string, args: Json | undefined): void {
  for (const rule of settings.allowedPaths ?? []) {
    if (rule.tool !== tool) continue;
    const given = args?.[rule.argument];
    if (given === undefined) continue;
    const allowed = rule.directories.map((directory) => real(resolve(directory)));
    const inside =
      typeof given === 'string' &&
      !given.includes('\0') &&
      !given.split(/[\\/]/).includes('..') &&
      allowed.some((directory) => within(real(resolve(directory, given)), directory));
    if (!inside) {
      throw new AppError(
        'forbidden',
        `${rule.argument} must lie in ${rule.directories.join(' or ')}, without "..". Nothing was done.`,
      );
    }
  }
}

const within = (path: string, directory: string): boolean =>
  path === directory || path.startsWith(directory.endsWith(sep) ? directory : directory + sep);

/** The path with links followed as far as it exists: a link must not lead out either. */
function real(path: string): string {
  const missing: string[] = [];
  for (let known = path; ; known = resolve(known, '..')) {
    try {
      return resolve(realpathSync(known), ...missing.toReversed());
    } catch {
      const parent = resolve(known, '..');
      if (parent === known) return path;
      missing.push(known.slice(parent.length).replace(/^[\\/]/, ''));
    }
  }
}

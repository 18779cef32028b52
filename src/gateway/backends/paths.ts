import { resolve, sep } from 'node:path';
import { realpathSync } from 'node:fs';
import { AppError } from '../../kernel/errors.ts';
import type { Json } from '../../kernel/source.ts';
import type { BackendSettings } from '../settings.ts';
import { own } from '../../kernel/own.ts';

/** Refuses a call whose path argument leads out of the directories its server is held to. */
export function checkPaths(settings: BackendSettings, tool: string, args: Json | undefined): void {
  for (const { tool: guarded, argument, directories } of settings.allowedPaths ?? []) {
    const given = args && own(args, argument);
    if (guarded !== tool || given === undefined) continue;
    // The server resolves it from where it runs, so that is what counts.
    const from = settings.transport.kind === 'stdio' ? (settings.transport.cwd ?? '.') : '.';
    if (isPlain(given) && directories.some((directory) => within(real(resolve(from, given)), real(resolve(directory)))))
      continue;
    throw new AppError(
      'forbidden',
      `${argument} must be a plain path in ${directories.join(' or ')}: without "..", "~", "$", backslashes or a scheme such as file:. Nothing was done.`,
    );
  }
}

/** What the server could take for a way to somewhere else than the path it reads as here. */
const meansMore = [
  // Home directories, schemes and drives, variables.
  /^~/,
  /^[a-z][a-z0-9+.-]*:/i,
  /[$`]|%[a-z_]+%/i,
  // What somebody trims, decodes or takes for another separator.
  /^\s|\s$|\p{Cc}|\\/u,
  /%(?:2e|2f|5c|00)/i,
];

function isPlain(given: unknown): given is string {
  return (
    typeof given === 'string' && !given.split('/').includes('..') && meansMore.every((pattern) => !pattern.test(given))
  );
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

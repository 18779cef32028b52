import { readlinkSync, realpathSync } from 'node:fs';
import { basename, dirname, resolve, sep } from 'node:path';
import { AppError } from '../../kernel/errors.ts';
import type { Json } from '../../kernel/source.ts';
import type { BackendSettings } from '../settings.ts';
import { own } from '../../kernel/own.ts';

/**
 * Refuses a call whose path argument leads out of the directories in `allowedPaths`. The server opens the path later, so this
 * holds only while nobody else changes links there. Passing on the resolved path would not change that: whoever can replace a
 * link can also replace a directory by one.
 */
export function checkPaths(settings: BackendSettings, tool: string, args: Json | undefined): void {
  for (const { tool: guarded, argument, directories } of settings.allowedPaths ?? []) {
    const given = args && own(args, argument);
    if (guarded !== tool || given === undefined) continue;
    // Resolve it from the server's working directory, as the server does.
    const from = settings.transport.kind === 'stdio' ? (settings.transport.cwd ?? '.') : '.';
    if (isPlain(given) && directories.some((directory) => within(real(resolve(from, given)), real(resolve(directory)))))
      continue;
    throw new AppError(
      'forbidden',
      `${argument} must be a plain path in ${directories.join(' or ')}: without "..", "~", "$", backslashes or a scheme like file:. Nothing was done. To allow another directory, the owner of Sluice adds it to allowedPaths of this server, in mcpServers or presets.`,
    );
  }
}

/** Forms that the server might resolve to another path than Sluice does. */
const meansMore = [
  // Home directories, schemes and drives, variables.
  /^~/,
  /^[a-z][a-z0-9+.-]*:/i,
  /[$`]|%[a-z_]+%/i,
  // Anything that a server might trim, decode, or take for another separator.
  /^\s|\s$|\p{Cc}|\\/u,
  /%(?:2e|2f|5c|00)/i,
];

function isPlain(given: unknown): given is string {
  return (
    typeof given === 'string' && !given.split('/').includes('..') && meansMore.every((pattern) => !pattern.test(given))
  );
}

const within = (path: string | undefined, directory: string | undefined): boolean =>
  path !== undefined &&
  directory !== undefined &&
  (path === directory || path.startsWith(directory.endsWith(sep) ? directory : directory + sep));

/** As many links as an operating system follows. */
const MOST_LINKS = 40;

/**
 * Resolves links, as far as the path exists: a link must not lead out either, even if nothing is there yet. Undefined if
 * nobody knows where it leads.
 */
function real(path: string, links = 0): string | undefined {
  const missing: string[] = [];
  for (let known = path; ; known = dirname(known)) {
    try {
      return resolve(realpathSync(known), ...missing.toReversed());
    } catch {
      const target = targetOf(known);
      if (target !== undefined)
        return links < MOST_LINKS ? real(resolve(target, ...missing.toReversed()), links + 1) : undefined;
      if (dirname(known) === known) return path;
      missing.push(basename(known));
    }
  }
}

/** Where a link leads that leads to nothing. */
function targetOf(path: string): string | undefined {
  try {
    return resolve(realpathSync(dirname(path)), readlinkSync(path));
  } catch {
    return undefined;
  }
}

import { spawn, spawnSync } from 'node:child_process';
import { bin, follow, type Place, type Started } from './command-line.ts';

/** Why there is no pseudo-terminal to test with, if so: `script` of util-linux creates them. */
export const noTerminal: string | undefined = /util-linux/.test(String(spawnSync('script', ['--version']).stdout))
  ? undefined
  : 'there is no `script` of util-linux';

/** A command on a terminal: `child.stdin` is the keyboard, and stdout is the screen. */
export function onTerminal(
  place: Place,
  args: readonly string[],
  options: { env?: Record<string, string>; node?: string } = {},
): Started {
  const words = [options.node ?? process.execPath, bin, ...args].map((word) => `'${word.replaceAll("'", `'\\''`)}'`);
  const child = spawn('script', ['-qfec', `exec ${words.join(' ')}`, '/dev/null'], {
    cwd: place.project,
    env: {
      PATH: process.env.PATH,
      HOME: place.user,
      SLUICE_HOME: place.home,
      TERM: 'xterm',
      SHELL: '/bin/sh',
      ...options.env,
    },
  });
  return follow(child);
}

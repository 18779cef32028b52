import type { InstallProgress } from './install.ts';
import type { LocalState } from './state.ts';
import type { Terminal } from '../../host/terminal.ts';

const BAR = 24;
const PLAIN_MS = 10_000;

/** One line with the progress of the installation. */
export function progressLine(version: string, progress: InstallProgress): string {
  const head = `Installing n8n ${version}`;
  switch (progress.phase) {
    case 'waiting':
      return `${head}: waiting for another process that installs it`;
    case 'resolving':
      return `${head}, step 1 of 3: looking up packages, ${progress.done} so far`;
    case 'unpacking': {
      const { done, total } = progress;
      const share = total === 0 ? 0 : done / total;
      const full = Math.round(share * BAR);
      const bar = `[${'#'.repeat(full)}${'-'.repeat(BAR - full)}]`;
      return `${head}, step 2 of 3: fetching ${bar} ${Math.floor(share * 100)}%, ${done} of ${total} packages`;
    }
    case 'compiling':
      return `${head}, step 3 of 3: compiling its database driver, ${progress.seconds} s (about 100 s)`;
  }
}

/** Shows a bar on a terminal. Elsewhere prints a line when a step begins, and one every ten seconds. */
export function showProgress(terminal: Terminal, version: string): (progress: InstallProgress) => void {
  let phase = '';
  let last = 0;
  return (progress) => {
    const line = progressLine(version, progress);
    if (terminal.interactive) return terminal.progress(line);
    if (progress.phase === phase && Date.now() - last < PLAIN_MS) return;
    phase = progress.phase;
    last = Date.now();
    terminal.say(line);
  };
}

/** The line to print for a new state. Undefined if something else says it already. */
export function stateLine(state: LocalState): string | undefined {
  switch (state.state) {
    case 'starting':
      return `Starting n8n ${state.version} at ${state.url} …`;
    case 'ready':
      return `n8n is ready at ${state.url}`;
    case 'restarting':
      return `n8n will be restarted: ${state.reason}`;
    case 'failed':
      return `n8n could not be started: ${state.reason}`;
    default:
      return undefined;
  }
}

import type { Disk } from './disk.ts';
import { maskedText } from './masked.ts';
import type { ContainerDetails } from './shapes.ts';

export interface Problem {
  readonly severity: 'error' | 'warning';
  /** The container, or `disk`. */
  readonly about: string;
  readonly problem: string;
  /** What to do next. */
  readonly next: string;
}

/** It restarted this often, and lately: it will not stay up by itself. */
const LOOP = 3;
const LATELY_MS = 10 * 60_000;
/** Stopped from outside, with SIGTERM or SIGINT. */
const STOPPED = new Set([0, 130, 143]);

const GIGABYTE = 1024 ** 3;
const MUCH_BYTES = 5 * GIGABYTE;

/** What is wrong with a container. */
export function problemsOf(
  name: string,
  { State, RestartCount, HostConfig }: ContainerDetails,
  now: number,
): Problem[] {
  const found: Problem[] = [];
  const add = (severity: Problem['severity'], problem: string, next: string) =>
    found.push({ severity, about: name, problem, next });
  const logs = `docker_get_logs {"container": "${name}"} shows why.`;
  const startedLately = now - Date.parse(State.StartedAt) < LATELY_MS;
  if (State.OOMKilled)
    add('error', 'was killed because it ran out of memory', 'Raise its memory limit, or see docker_get_stats.');
  if (State.Restarting || State.Status === 'restarting')
    add('error', `keeps restarting (exit code ${State.ExitCode}, ${RestartCount} restarts)`, logs);
  else if (State.Running && RestartCount >= LOOP && startedLately)
    add('warning', `has restarted ${RestartCount} times, the last time at ${State.StartedAt}`, logs);
  if (State.Running && State.Health?.Status === 'unhealthy') {
    const said = maskedText(State.Health.Log.at(-1)?.Output.trim() ?? '').slice(0, 200);
    add(
      'error',
      `is unhealthy: ${State.Health.FailingStreak} checks failed${said === '' ? '' : `, the last with: ${said}`}`,
      logs,
    );
  }
  if (State.Paused) add('warning', 'is paused', 'docker_unpause_container lets it go on.');
  if (State.Status === 'dead')
    add('error', 'is dead: Docker could not remove it', 'Remove it with docker_remove_container.');
  if (State.Status === 'exited' && !State.OOMKilled && !STOPPED.has(State.ExitCode)) {
    const policy = HostConfig?.RestartPolicy?.Name;
    // A job that failed a week ago is no alarm; a service that should run is one.
    const shouldRun = policy === 'always' || policy === 'unless-stopped' || policy === 'on-failure';
    add(shouldRun ? 'error' : 'warning', `ended with exit code ${State.ExitCode} at ${State.FinishedAt}`, logs);
  }
  if (State.Error !== '')
    add(
      'error',
      `could not start: ${maskedText(State.Error).slice(0, 200)}`,
      'docker_inspect_container shows its setup.',
    );
  return found;
}

/** Space that nothing uses. */
export function problemsOfDisk(disk: readonly Disk[]): Problem[] {
  return disk
    .filter(({ reclaimable_bytes, bytes }) => reclaimable_bytes > MUCH_BYTES && reclaimable_bytes > bytes / 3)
    .map(({ kind, reclaimable_bytes }) => ({
      severity: 'warning',
      about: 'disk',
      problem: `${(reclaimable_bytes / GIGABYTE).toFixed(1)} GB of ${kind} are used by nothing`,
      next:
        kind === 'images'
          ? 'docker_prune_images with all: true and dry_run: true shows what would go.'
          : 'docker_get_disk_usage shows more.',
    }));
}

import { type ChildProcess, spawn } from 'node:child_process';

/**
 * Kills process groups when this process is gone, however it ended. Node has no parent-death signal, so a shell reads
 * from a pipe: it is told which groups exist, and when the pipe ends it kills those that are left. dash does not
 * support `--` before the group of a `kill`.
 */
const script = `
trap '' INT TERM HUP
groups=' '
while read -r sign group; do
  if [ "$sign" = + ]; then groups="$groups$group "
  else rest=' '; for g in $groups; do [ "$g" = "$group" ] || rest="$rest$g "; done; groups="$rest"
  fi
done
for g in $groups; do kill -TERM "-$g" 2>/dev/null; done
n=0
while [ $n -lt 20 ]; do
  alive=
  for g in $groups; do kill -0 "-$g" 2>/dev/null && alive=1; done
  [ -n "$alive" ] || exit 0
  sleep 0.1; n=$((n + 1))
done
for g in $groups; do kill -KILL "-$g" 2>/dev/null; done
`;

let shell: ChildProcess | undefined;
const guarded = new Set<number>();

function tell(line: string): void {
  shell?.stdin?.write(line);
}

function start(): void {
  shell = spawn('/bin/sh', ['-c', script], { stdio: ['pipe', 'ignore', 'ignore'], detached: true });
  shell.unref();
  shell.stdin?.on('error', () => {});
  (shell.stdin as unknown as { unref?(): void }).unref?.();
  shell.on('error', () => {
    shell = undefined;
  });
  // Somebody killed the watchdog: start another one for the same groups.
  shell.on('exit', () => {
    shell = undefined;
    if (guarded.size > 0) start();
  });
  for (const group of guarded) tell(`+ ${group}\n`);
}

export const watchdog = {
  guard(group: number): void {
    guarded.add(group);
    if (shell) tell(`+ ${group}\n`);
    else start();
  },
  release(group: number): void {
    guarded.delete(group);
    tell(`- ${group}\n`);
  },
};

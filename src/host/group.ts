import { outputRead, type Program, releaseGroup, signalGroup, spawnGroup, untilEmpty } from '../wire/process-group.ts';

export interface GroupOptions extends Program {
  onOutput(text: string): void;
}

/** A program and everything it started. */
export interface Group {
  readonly pid: number;
  /** How it failed; undefined on success. The group is empty by then. */
  readonly ended: Promise<string | undefined>;
  /** Asks the program to end, and kills its group after the grace period. */
  stop(graceMs: number): Promise<void>;
}

/** How long processes that the program left behind may take to end. */
const LEFTOVER_MS = 1000;
const KILLED_MS = 200;

export async function startGroup({ onOutput, ...program }: GroupOptions): Promise<Group> {
  const child = await spawnGroup(program, 'ignore');
  const { pid } = child;
  const read = outputRead(child);
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', onOutput);

  const ended = new Promise<string | undefined>((resolve) => {
    child.once('exit', (code, signal) => {
      resolve(signal ? `was ended by ${signal}` : code === 0 ? undefined : `ended with code ${code}`);
    });
  }).then(async (how) => {
    signalGroup(pid, 'SIGTERM');
    await untilEmpty(pid, Date.now() + LEFTOVER_MS);
    if (signalGroup(pid, 'SIGKILL')) await untilEmpty(pid, Date.now() + KILLED_MS);
    releaseGroup(pid);
    await read();
    return how;
  });

  return {
    pid,
    ended,
    async stop(graceMs) {
      // Signal only the program itself: it knows in which order to end its children.
      child.kill('SIGTERM');
      const timer = setTimeout(() => signalGroup(pid, 'SIGKILL'), graceMs);
      await ended;
      clearTimeout(timer);
    },
  };
}

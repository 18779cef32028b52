import { readFileSync, writeFileSync } from 'node:fs';

const megabytesIn = (pid: number, field: string): number | undefined => {
  try {
    const kilobytes = new RegExp(`^${field}:\\s+(\\d+) kB`, 'm').exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
    return kilobytes === undefined ? undefined : Number(kilobytes) / 1024;
  } catch {
    return undefined;
  }
};

/** The most megabytes that a process has had in memory since; undefined where the system does not say. */
export function watchMemory(pid: number): { before: number | undefined; most(): number | undefined } {
  try {
    // Linux forgets the peak.
    writeFileSync(`/proc/${pid}/clear_refs`, '5');
  } catch {
    // Elsewhere there is nothing to forget.
  }
  return { before: megabytesIn(pid, 'VmRSS'), most: () => megabytesIn(pid, 'VmHWM') };
}

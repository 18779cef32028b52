import { readdirSync, readFileSync } from 'node:fs';

// USER_HZ, the unit of CPU times in /proc: 100 on every Linux that Node runs on.
const TICKS_PER_SECOND = 100;

/** CPU that a process has used, in microseconds: all of its threads, none of its children. */
export function parseCpu(stat: string): number {
  // The second field is the program's name in parentheses, which may itself contain spaces and parentheses.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const [user, system] = [Number(fields[11]), Number(fields[12])];
  return ((user + system) * 1_000_000) / TICKS_PER_SECOND;
}

/** Resident memory in bytes. */
export function parseRss(status: string): number {
  const kilobytes = /^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1];
  if (kilobytes === undefined) throw new Error('No VmRSS: the process has ended.');
  return Number(kilobytes) * 1024;
}

export function cpuOf(pid: number): number {
  return parseCpu(readFileSync(`/proc/${pid}/stat`, 'utf8'));
}

/** The same to the nanosecond, for work that is shorter than a tick. Excludes threads that have ended. */
export function finelyCpuOf(pid: number): number {
  const tasks = readdirSync(`/proc/${pid}/task`).map((task) => {
    try {
      return parseSchedule(readFileSync(`/proc/${pid}/task/${task}/schedstat`, 'utf8'));
    } catch {
      // The thread ended between the two reads.
      return 0;
    }
  });
  return tasks.reduce((sum, micros) => sum + micros, 0);
}

/** CPU time in microseconds. */
export const parseSchedule = (schedstat: string): number => Number(schedstat.split(' ')[0]) / 1000;

export function rssOf(pid: number): number {
  return parseRss(readFileSync(`/proc/${pid}/status`, 'utf8'));
}

import { z } from 'zod';
import type { Monitor } from './answers.ts';
import type { Kuma } from './connection.ts';
import { membersOf, monitorNamed } from './monitors.ts';
import { done, named } from './tool.ts';

export const switchedOutput = z.object({
  id: z.int(),
  name: z.string(),
  active: z.boolean(),
  members: z.int().optional().describe('Monitors of the group, which follow it'),
});

/** Pauses or resumes a monitor. A group takes its monitors with it, so all of them must be in reach. */
export async function switched(
  kuma: Kuma,
  given: string | number,
  event: 'pauseMonitor' | 'resumeMonitor',
  signal: AbortSignal,
): Promise<z.input<typeof switchedOutput>> {
  const monitor = monitorNamed(kuma, given);
  const members = membersInReach(kuma, monitor);
  await kuma.ask(done, event, [monitor.id], signal);
  return {
    id: monitor.id,
    name: monitor.name,
    active: event === 'resumeMonitor',
    ...(members.length > 0 && { members: members.length }),
  };
}

export function membersInReach(kuma: Kuma, monitor: Monitor): Monitor[] {
  const members = membersOf(kuma, monitor);
  kuma.reach.needAll(members, `The group ${named(monitor)}`);
  return members;
}

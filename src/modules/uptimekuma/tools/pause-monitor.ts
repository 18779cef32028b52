import { z } from 'zod';
import { switched, switchedOutput } from '../switched.ts';
import { monitorInput, uptimekumaTool } from '../tool.ts';

export const pauseMonitor = uptimekumaTool({
  name: 'uptimekuma_pause_monitor',
  title: 'Pause a monitor',
  description: 'Stops checking a monitor, or all of a group, until it is resumed.',
  phrases: 'pause a monitor; stop checking a site; silence alerts during work; disable a monitor',
  effect: 'update',
  input: z.strictObject({ monitor: monitorInput }),
  output: switchedOutput,
  run: async ({ monitor }, kuma, { signal }) => await switched(kuma, monitor, 'pauseMonitor', signal),
});

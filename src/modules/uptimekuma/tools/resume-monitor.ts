import { z } from 'zod';
import { switched, switchedOutput } from '../switched.ts';
import { monitorInput, uptimekumaTool } from '../tool.ts';

export const resumeMonitor = uptimekumaTool({
  name: 'uptimekuma_resume_monitor',
  title: 'Resume a monitor',
  description: 'Starts checking a paused monitor, or a paused group, again.',
  phrases: 'resume a monitor; start checking again; enable a paused monitor; unpause',
  effect: 'update',
  input: z.strictObject({ monitor: monitorInput }),
  output: switchedOutput,
  run: async ({ monitor }, kuma, { signal }) => await switched(kuma, monitor, 'resumeMonitor', signal),
});

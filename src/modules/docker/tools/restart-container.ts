import { z } from 'zod';
import { changedState, changeState } from '../change-state.ts';
import { containerInput, dockerTool, graceInput } from '../tool.ts';

export const restartContainer = dockerTool({
  name: 'docker_restart_container',
  title: 'Restart a container',
  description:
    'Restarts a container, or starts it if it is stopped. It is asked to end first, and killed after grace_seconds.',
  phrases: 'restart a container; docker restart; bounce the service; restart nginx; the container hangs, restart it',
  effect: 'update',
  input: z.strictObject({ container: containerInput, grace_seconds: graceInput }),
  output: changedState,
  async run({ container, grace_seconds }, docker, { signal }) {
    return await changeState(docker, container, { verb: 'restart', query: { t: grace_seconds } }, signal);
  },
});

import { z } from 'zod';
import { changedState, changeState } from '../change-state.ts';
import { containerInput, dockerTool, graceInput } from '../tool.ts';

export const stopContainer = dockerTool({
  name: 'docker_stop_container',
  title: 'Stop a container',
  description: 'Stops a running container: it is asked to end, and killed after grace_seconds.',
  phrases: 'stop a container; docker stop; shut the container down; kill a container',
  effect: 'update',
  input: z.strictObject({ container: containerInput, grace_seconds: graceInput }),
  output: changedState,
  async run({ container, grace_seconds }, docker, { signal }) {
    return await changeState(docker, container, { verb: 'stop', query: { t: grace_seconds } }, signal);
  },
});

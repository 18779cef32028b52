import { z } from 'zod';
import { changedState, changeState } from '../change-state.ts';
import { containerInput, dockerTool } from '../tool.ts';

export const pauseContainer = dockerTool({
  name: 'docker_pause_container',
  title: 'Pause a container',
  description: 'Freezes all processes of a running container until docker_unpause_container.',
  phrases: 'pause a container; freeze a container; docker pause',
  effect: 'update',
  input: z.strictObject({ container: containerInput }),
  output: changedState,
  async run({ container }, docker, { signal }) {
    return await changeState(docker, container, { verb: 'pause' }, signal);
  },
});

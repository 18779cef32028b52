import { z } from 'zod';
import { changedState, changeState } from '../change-state.ts';
import { containerInput, dockerTool } from '../tool.ts';

export const startContainer = dockerTool({
  name: 'docker_start_container',
  title: 'Start a container',
  description: 'Starts a container that is stopped. One that runs stays as it is.',
  phrases: 'start a container; docker start; bring the container up; the container is stopped, start it',
  effect: 'update',
  input: z.strictObject({ container: containerInput }),
  output: changedState,
  async run({ container }, docker, { signal }) {
    return await changeState(docker, container, { verb: 'start' }, signal);
  },
});

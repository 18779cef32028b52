import { z } from 'zod';
import { changedState, changeState } from '../change-state.ts';
import { containerInput, dockerTool } from '../tool.ts';

export const unpauseContainer = dockerTool({
  name: 'docker_unpause_container',
  title: 'Unpause a container',
  description: 'Lets a container go on that docker_pause_container has frozen.',
  phrases: 'unpause a container; resume a paused container; docker unpause',
  effect: 'update',
  input: z.strictObject({ container: containerInput }),
  output: changedState,
  async run({ container }, docker, { signal }) {
    return await changeState(docker, container, { verb: 'unpause' }, signal);
  },
});

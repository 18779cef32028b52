import { z } from 'zod';
import { changedState, changeState } from '../change-state.ts';
import { containerInput, dockerTool } from '../tool.ts';

export const signalContainer = dockerTool({
  name: 'docker_signal_container',
  title: 'Send a signal to a container',
  description:
    'Sends a signal to the main process of a container, e.g. HUP to make nginx read its configuration again.',
  phrases: 'send a signal; docker kill -s HUP; reload nginx in the container; sighup; kill the container at once',
  effect: 'update',
  input: z.strictObject({
    container: containerInput,
    signal: z
      .enum(['HUP', 'INT', 'QUIT', 'TERM', 'KILL', 'USR1', 'USR2', 'WINCH'])
      .describe('HUP reloads, KILL ends at once'),
  }),
  output: changedState,
  async run({ container, signal: sent }, docker, { signal }) {
    return await changeState(docker, container, { verb: 'kill', query: { signal: `SIG${sent}` } }, signal);
  },
});

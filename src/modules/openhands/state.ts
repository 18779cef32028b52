import type { Conversation } from './answers.ts';

/** What a conversation does, in one word. */
export type State =
  | 'starting'
  | 'working'
  | 'ready'
  | 'finished'
  | 'needs-confirmation'
  | 'paused'
  | 'failed'
  | 'stuck'
  | 'gone'
  | 'unknown';

const ofAgent: ReadonlyMap<string, State> = new Map([
  ['idle', 'ready'],
  ['running', 'working'],
  ['paused', 'paused'],
  ['waiting_for_confirmation', 'needs-confirmation'],
  ['finished', 'finished'],
  ['error', 'failed'],
  ['stuck', 'stuck'],
  ['deleting', 'gone'],
]);

const ofSandbox: ReadonlyMap<string, State> = new Map([
  ['STARTING', 'starting'],
  ['PAUSED', 'paused'],
  ['ERROR', 'failed'],
  ['MISSING', 'gone'],
]);

/** The agent has a state only while its sandbox runs. */
export function stateOf({ sandbox_status, execution_status }: Conversation): State {
  if (sandbox_status !== 'RUNNING') return ofSandbox.get(sandbox_status ?? '') ?? 'unknown';
  return ofAgent.get(execution_status ?? '') ?? (execution_status ? 'unknown' : 'starting');
}

/** It will go on by itself, and takes a place. */
export const isBusy = (state: State): boolean => state === 'starting' || state === 'working';

export const meaning = (state: State): string => {
  switch (state) {
    case 'starting':
      return 'The sandbox starts.';
    case 'working':
      return 'The agent works. openhands_wait waits for it.';
    case 'ready':
      return 'The agent waits for a message: openhands_send_message.';
    case 'finished':
      return 'The agent is done. openhands_list_events shows what it did, openhands_list_changes the files.';
    case 'needs-confirmation':
      return 'The agent waits until a person allows its next step, in OpenHands.';
    case 'paused':
      return 'It is paused. openhands_send_message wakes it.';
    case 'failed':
      return 'It failed. openhands_list_events shows the error.';
    case 'stuck':
      return 'The agent goes in circles. A message may help it: openhands_send_message.';
    case 'gone':
      return 'Its sandbox is gone. Start another conversation.';
    case 'unknown':
      return 'OpenHands gives a status that Sluice does not know.';
  }
};

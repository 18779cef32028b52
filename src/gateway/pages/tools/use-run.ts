import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { type Answered, Failed, invoke } from '../../../console/client/api.ts';
import { withdraw } from '../../../console/client/waiting.ts';

export type Answer = Answered<unknown> & { readonly failure?: Failed };

export type Run =
  | { readonly state: 'idle' }
  | { readonly state: 'running'; readonly since: number }
  | { readonly state: 'asking' }
  | { readonly state: 'answered'; readonly answer: Answer }
  /** The call did not come to an answer of the tool. */
  | { readonly state: 'failed'; readonly error: Failed }
  | { readonly state: 'stopped'; readonly why: string };

type Ask = (failure: Failed) => Promise<boolean>;

/** Calls a tool, asks a person if the gateway wants that, and can be cancelled. */
export function useRun(name: string, agrees: Ask) {
  const run = useSignal<Run>({ state: 'idle' });
  const current = useRef<AbortController | undefined>(undefined);
  useEffect(() => () => current.current?.abort(), []);

  async function once(args: object, mine: AbortController, confirm?: string): Promise<void> {
    run.value = { state: 'running', since: performance.now() };
    const answer = await invoke<unknown>(name, args, { confirm, signal: mine.signal });
    if (mine.signal.aborted) return;
    const { failure } = answer;
    if (failure?.confirm === undefined) {
      run.value = { state: 'answered', answer };
      return;
    }
    run.value = { state: 'asking' };
    if (await agrees(failure)) await once(args, mine, failure.confirm);
    else {
      run.value = { state: 'stopped', why: 'You did not confirm it. Nothing was done.' };
      await withdraw(failure);
    }
  }

  async function start(args: object): Promise<void> {
    if (run.value.state === 'running' || run.value.state === 'asking') return;
    const mine = new AbortController();
    current.current = mine;
    try {
      await once(args, mine);
    } catch (error) {
      if (mine.signal.aborted) return;
      const failed = error instanceof Failed ? error : new Failed(String(error), { code: 'failed', status: 0 });
      run.value = { state: 'failed', error: failed };
    }
  }

  function cancel(): void {
    current.current?.abort();
    run.value = { state: 'stopped', why: 'You cancelled it. What the tool had done by then stays done.' };
  }

  return { run: run.value, start, cancel };
}

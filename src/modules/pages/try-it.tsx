import { useSignal } from '@preact/signals';
import { type Answered, Failed, invoke } from '../../console/client/api.ts';
import { linkTo } from '../../console/client/pages.ts';
import { duration } from '../../console/client/ui/ago.tsx';
import { Action } from '../../console/client/ui/fields.tsx';
import { Tree } from '../../console/client/ui/tree.tsx';

/** Calls a tool that only reads and needs no arguments, and shows what it answers. */
export function TryIt({ tool, done }: { tool: string; done: () => Promise<void> }) {
  const answer = useSignal<Answered<unknown> | undefined>(undefined);
  const problem = useSignal<string | undefined>(undefined);

  async function run(): Promise<void> {
    [answer.value, problem.value] = [undefined, undefined];
    try {
      const answered = await invoke<unknown>(tool, {});
      if (answered.failure) problem.value = answered.failure.message;
      else answer.value = answered;
    } catch (error) {
      if (!(error instanceof Failed)) throw error;
      problem.value = error.message;
    }
    await done();
  }

  return (
    <>
      <Action run={run} title={`Calls ${tool}, which changes nothing`}>
        Try a read
      </Action>{' '}
      <span class="quiet">
        Calls <code>{tool}</code>. <a href={linkTo('tools', [tool])}>Fill in its form</a>
      </span>
      <div role="status">
        {problem.value !== undefined && (
          <p class="bad">
            <bdi>{problem.value}</bdi>
          </p>
        )}
        {answer.value && (
          <>
            <p class="quiet">It answered in {duration(answer.value.ms)}.</p>
            <Tree value={answer.value.structured ?? answer.value.content.map(({ text }) => text)} open={2} />
          </>
        )}
      </div>
    </>
  );
}

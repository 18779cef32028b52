import { useEffect, useMemo, useRef } from 'preact/hooks';
import { linkTo } from '../../../../console/client/pages.ts';
import { duration, size } from '../../../../console/client/ui/ago.tsx';
import { Empty } from '../../../../console/client/ui/empty.tsx';
import { State } from '../../../../console/client/ui/state.tsx';
import type { Answer } from '../use-run.ts';
import { JsonView } from './json-view.tsx';
import { Part } from './part.tsx';
import { repeats } from './repeats.ts';

/** What a tool answered, in the form that fits it, with its time, its size and where to read more. */
export function AnswerView({ answer }: { answer: Answer }) {
  const { structured, content, isError, ms, bytes, trace, failure } = answer;
  const parts = useMemo(
    () => (structured === undefined ? content : content.filter((part) => !repeats(part, structured))),
    [answer],
  );
  const section = useRef<HTMLElement>(null);
  useEffect(() => section.current?.scrollIntoView({ block: 'start' }), [answer]);
  const isNothing = structured === undefined && content.length === 0;
  return (
    <section ref={section} class="answer" aria-label="Answer">
      <header class="line">
        <h2>Answer</h2>
        <State of={isError ? 'failed' : 'ok'}>{isError ? 'The tool reports a failure' : 'done'}</State>
        <span class="quiet">
          {duration(ms)} · {size(bytes)}
        </span>
        {trace !== undefined && <a href={linkTo('activity', ['trace', trace])}>What happened</a>}
      </header>
      {failure && failure.code !== 'tool_error' && (
        <p class="quiet">
          Sluice did not get an answer of the tool: <code>{failure.code}</code>.
        </p>
      )}
      {isNothing && <Empty title="The answer is empty">The tool ran, and returned nothing.</Empty>}
      {structured !== undefined && <JsonView value={structured} name="answer" />}
      {parts.map((part, at) => (
        <Part key={at} part={part} />
      ))}
    </section>
  );
}

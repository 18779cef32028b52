import lazy from 'preact-iso/lazy';
import { useEffect } from 'preact/hooks';
import { useSignal } from '@preact/signals';
import { addressOf } from '../../../console/client/api.ts';
import { hasSource, may } from '../../../console/client/session.ts';
import { duration } from '../../../console/client/ui/ago.tsx';
import { Copy } from '../../../console/client/ui/copy.tsx';
import { Problem } from '../../../console/client/ui/problem.tsx';
import { confirmationWords } from './about.tsx';
import { agrees } from './agrees.tsx';
import { asCommand, asCurl, asMessage } from './copies.ts';
import { Body } from './form/body.tsx';
import { isObject } from './schema/json.ts';
import type { Details } from './tool-types.ts';
import { useArguments } from './use-arguments.ts';
import { useRun } from './use-run.ts';

const AnswerView = lazy(() => import('./answer/answer.tsx').then((module) => module.AnswerView));
const SaveRecipe = lazy(() => import('./save-recipe.tsx').then((module) => module.SaveRecipe));

/** A form for the arguments, the same as JSON beside it, and the answer. */
export function TryIt({ tool }: { tool: Details }) {
  const given = useArguments(tool.parameters);
  const { run, start, cancel } = useRun(tool.name, (failure) => agrees(tool, failure));
  const saving = useSignal(false);
  const busy = run.state === 'running' || run.state === 'asking';
  const mayCall = may(tool.scope);
  const call = { name: tool.name, args: given.args };
  const go = () => {
    if (!mayCall || given.problem !== undefined) return;
    void AnswerView.preload();
    void start(given.args);
  };
  const shape = given.shapeOf(tool.parameters);
  const takesNothing =
    shape.kind === 'object' && shape.properties.length === 0 && !shape.open && Object.keys(given.args).length === 0;
  const hasAnswered = run.state === 'answered' && !run.answer.isError;
  return (
    <>
      <form
        class="try"
        noValidate
        aria-label={`Try ${tool.name}`}
        // Enter in a field is not yet the wish to call: Ctrl+Enter and the button are.
        onSubmit={(event) => event.preventDefault()}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
          event.preventDefault();
          go();
        }}
      >
        <div class="sides-of">
          <section aria-label="Arguments">
            <header class="line">
              <h2>Arguments</h2>
              {tool.usage_examples.filter(isObject).map((example, at) => (
                <button key={at} type="button" class="plain" onClick={() => given.set(example)}>
                  Example {at + 1}
                </button>
              ))}
              <button type="button" class="plain" onClick={given.reset}>
                Start over
              </button>
            </header>
            {shape.limits.length > 0 && (
              <p class="quiet" id="arguments-hint">
                <bdi>{shape.limits.join(' · ')}</bdi>
              </p>
            )}
            {takesNothing ? (
              <p class="quiet">It takes no arguments.</p>
            ) : shape.kind === 'object' || shape.kind === 'choice' ? (
              <Body
                shapeOf={given.shapeOf}
                schema={tool.parameters}
                shape={shape}
                id="arguments"
                hint="arguments-hint"
                label="arguments"
                required
                value={given.args}
                level={0}
                onChange={(next) => given.set(isObject(next) ? next : {})}
              />
            ) : (
              <p class="quiet">
                {shape.kind === 'json' && shape.why !== undefined
                  ? `A form cannot be made of this schema: ${shape.why}. `
                  : 'A form cannot say what this schema says. '}
                Write the arguments as JSON.
              </p>
            )}
          </section>
          <section aria-label="The same as JSON">
            <h2>As JSON</h2>
            <textarea
              class="raw"
              aria-label="Arguments as JSON"
              aria-invalid={given.problem !== undefined}
              aria-describedby="raw-problem"
              rows={Math.max(8, Math.min(24, given.text.split('\n', 24).length + 1))}
              spellcheck={false}
              value={given.text}
              onInput={(event) => given.setText(event.currentTarget.value)}
            />
            <p id="raw-problem" class="warn" role="status">
              {given.problem}
            </p>
            <p class="copies">
              Copy as
              <Copy text={() => asCommand(call)}>sluice call</Copy>
              <Copy text={() => asCurl(call, addressOf('api/v1/mcp/invoke'))}>curl</Copy>
              <Copy text={() => asMessage(call)}>MCP message</Copy>
            </p>
          </section>
        </div>
        <div class="run">
          <button
            type="button"
            class={tool.effect === 'delete' ? 'danger' : 'main'}
            disabled={!mayCall || busy || given.problem !== undefined}
            onClick={go}
          >
            {busy ? 'Running …' : 'Run'}
          </button>
          {busy && (
            <button type="button" onClick={cancel}>
              Cancel
            </button>
          )}
          {run.state === 'running' && <Elapsed since={run.since} />}
          {!busy && (
            <span class="quiet">
              {mayCall ? (
                <>
                  <kbd>Ctrl</kbd> <kbd>Enter</kbd> · {confirmationWords(tool)}.
                </>
              ) : (
                <>
                  Your key may not call it: it lacks the scope{' '}
                  <code>
                    <bdi>{tool.scope}</bdi>
                  </code>
                  .
                </>
              )}
            </span>
          )}
        </div>
        {run.state === 'failed' && <Problem error={run.error} />}
        {run.state === 'stopped' && (
          <p class="banner" role="status">
            {run.why}
          </p>
        )}
        {run.state === 'answered' && <AnswerView answer={run.answer} />}
        {hasAnswered && may('recipe:write') && (
          <p>
            {hasSource('recipe') ? (
              <button type="button" onClick={() => (saving.value = true)}>
                Save as a recipe …
              </button>
            ) : (
              <span class="quiet">
                Recipes are switched off here, so this call cannot be saved as one: <code>recipes: false</code> in the
                configuration.
              </span>
            )}
          </p>
        )}
      </form>
      {saving.value && <SaveRecipe close={() => (saving.value = false)} />}
    </>
  );
}

/** Says that it goes on. */
function Elapsed({ since }: { since: number }) {
  const now = useSignal(performance.now());
  useEffect(() => {
    const timer = setInterval(() => (now.value = performance.now()), 100);
    return () => clearInterval(timer);
  }, []);
  return (
    <span class="quiet" role="timer">
      {duration(Math.max(0, now.value - since))}
    </span>
  );
}

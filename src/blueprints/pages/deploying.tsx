import { useSignal } from '@preact/signals';
import { useLocation } from 'preact-iso/router';
import { Failed } from '../../console/client/api.ts';
import { linkTo } from '../../console/client/pages.ts';
import { may } from '../../console/client/session.ts';
import { Action } from '../../console/client/ui/fields.tsx';
import { say } from '../../console/client/ui/notice.tsx';
import { Problem } from '../../console/client/ui/problem.tsx';
import { deployAsking, planOf, scheduleAsking } from './deploy-asking.tsx';
import { Drawing } from './drawing.tsx';
import { flowOfOutline, flowOfPlan } from './flow.ts';
import { InputFields } from './input-fields.tsx';
import { readInputs, type Typed } from './inputs.ts';
import { PlanWords } from './plan-words.tsx';
import type { Plan, Whole } from './shapes.ts';
import { StepWords } from './step-words.tsx';

/** What it would do: first as it is written, then with inputs. And the buttons that do it. */
export function Deploying({ whole, onBegun }: { whole: Whole; onBegun: () => void }) {
  const { name, inputs = [], steps = [] } = whole;
  const { route } = useLocation();
  const typed = useSignal<Typed>({});
  const problems = useSignal<ReadonlyMap<string, string>>(new Map());
  const plan = useSignal<Plan | undefined>(undefined);
  const trouble = useSignal<Failed | undefined>(undefined);
  const chosen = useSignal<string | undefined>(undefined);

  /** The plan with what was typed; undefined if something is missing. */
  async function planned(): Promise<{ plan: Plan; values: object } | undefined> {
    const read = readInputs(inputs, typed.value);
    problems.value = read.problems;
    trouble.value = undefined;
    if (read.problems.size > 0) return undefined;
    try {
      plan.value = await planOf(name, read.values);
      return { plan: plan.value, values: read.values };
    } catch (error) {
      if (!(error instanceof Failed)) throw error;
      plan.value = undefined;
      trouble.value = error;
      return undefined;
    }
  }

  async function deploy(): Promise<void> {
    const ready = await planned();
    const run = ready && (await deployAsking(whole, ready.values, ready.plan));
    if (run !== undefined) route(new URL(linkTo('blueprints', ['runs', run]), document.baseURI).pathname);
  }

  async function schedule(): Promise<void> {
    const ready = await planned();
    const next = ready && (await scheduleAsking(whole, ready.values));
    if (next === undefined) return;
    say(`Scheduled. It is deployed next on ${new Date(next).toLocaleString()}.`);
    onBegun();
  }

  const scope = whole.kind === 'recipe' ? 'recipe:execute' : 'blueprint:execute';
  const mayDeploy = may(scope);
  const hasErrors = whole.findings.some(({ severity }) => severity === 'error');
  const outline = steps.find(({ step }) => step === chosen.value);
  return (
    <div class={inputs.length > 0 ? 'deploying' : ''}>
      {inputs.length > 0 && (
        <section aria-label="Inputs">
          <h2>Inputs</h2>
          <InputFields
            inputs={inputs}
            typed={typed.value}
            problems={problems.value}
            onType={(input, text) => {
              typed.value = { ...typed.value, [input]: text };
              plan.value = undefined;
            }}
          />
        </section>
      )}
      <section aria-label="Plan">
        <div class="head">
          <h2>{plan.value ? 'What would happen with these inputs' : 'What it does'}</h2>
          <div class="actions">
            <Action run={planned} disabled={hasErrors}>
              Plan
            </Action>
            {may('blueprint:execute') && (
              <Action run={schedule} disabled={hasErrors}>
                Schedule …
              </Action>
            )}
            {mayDeploy && (
              <Action kind="main" run={deploy} disabled={hasErrors}>
                Deploy …
              </Action>
            )}
          </div>
        </div>
        {!mayDeploy && <p class="quiet">Your key lacks {scope}, so it can plan but not deploy.</p>}
        {trouble.value && <Problem error={trouble.value} />}
        <Drawing
          label={`The steps of ${name}`}
          deps={[plan.value, steps]}
          flow={(columns) => (plan.value ? flowOfPlan(plan.value.steps, columns) : flowOfOutline(steps, columns))}
          chosen={chosen.value}
          onChoose={(step) => (chosen.value = step === chosen.value ? undefined : step)}
        />
        {plan.value && <PlanWords plan={plan.value} />}
        {chosen.value !== undefined && (
          <StepWords
            outline={outline}
            planned={plan.value?.steps.find(({ step }) => step === chosen.value)}
            name={chosen.value}
          />
        )}
      </section>
    </div>
  );
}

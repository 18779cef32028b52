import { firstLine, table } from '../../cli/table.ts';
import { someOf } from '../../kernel/some-of.ts';
import { isObject } from '../../wire/jsonrpc.ts';
import type { PlanView } from '../service/plan-view.ts';
import { spanOf } from './run-lines.ts';

/** What deploying would do, for a person. */
export function planLines(
  { steps, on_failure, schedule, confirmations, approvals }: PlanView,
  width?: number,
): string[] {
  const rows = steps.map(({ step, kind, does, when, for_each: each, confirm, undo }) => [
    step,
    kind,
    confirm === 'person' ? 'a person approves' : confirm === 'deploy' ? 'confirm' : '',
    undo === undefined ? '' : 'yes',
    firstLine(
      [
        ...(when === undefined ? [] : [`if ${when}:`]),
        ...(each === undefined ? [] : [`for each of ${textOf(each)}:`]),
        workText(kind, does),
      ].join(' '),
    ),
  ]);
  return [
    ...table([['step', 'kind', 'needs', 'undo', 'does'], ...rows], width),
    on_failure === 'undo' ? 'A failure undoes the steps that are done.' : 'A failure leaves what is done.',
    ...(schedule === undefined ? [] : [`Its own schedule: ${schedule}`]),
    ...(confirmations.length === 0 ? [] : [`Deploying confirms: ${someOf(confirmations)}`]),
    ...(approvals.length === 0 ? [] : [`A person decides at: ${someOf(approvals)}`]),
  ];
}

/** `memory_store {"text":"…"}`, `POST https://…`, or the question. */
function workText(kind: string, does: unknown): string {
  if (!isObject(does)) return textOf(does);
  const { tool, workflow, webhook, method, blueprint, question, event, ms, ...rest } = does;
  const named = [method, tool, workflow, webhook, blueprint, question, event].filter((one) => typeof one === 'string');
  const given = [rest.arguments, rest.input, rest.inputs, rest.body, rest.where].filter((one) => one !== undefined);
  if (kind === 'wait' && typeof ms === 'number') return spanOf(ms);
  return [...named, ...given.map(textOf)].join(' ');
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

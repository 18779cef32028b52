import { exit } from '../../cli/frame.ts';
import { firstLine } from '../../cli/table.ts';
import type { Place } from '../../host/place.ts';
import type { Verb } from '../../kernel/command.ts';
import type { OutputOf } from '../../kernel/tool.ts';
import type { PlanView } from '../service/plan-view.ts';
import type { save } from '../tools/save.ts';
import { withCalls } from './calls.ts';
import { definitionOf } from './definition-text.ts';
import { inputOptions, inputsIn, textOf } from './inputs.ts';
import { listBlueprints } from './lists.ts';
import { more, yes } from './options.ts';
import { planLines } from './plan-lines.ts';
import { validateBlueprints } from './validate.ts';

const MOST_FILES = 1000;

/** What the command line does with definitions. */
export function definitionVerbs(place: Place) {
  const { terminal } = place;
  return {
    list: {
      summary: 'Lists the blueprints',
      usage: '[QUERY] [--json]',
      example: 'sluice blueprint list backup',
      positionals: [0, 1],
      options: more,
      run: ({ values, positionals: [query] }) =>
        withCalls(
          place,
          values,
          (calls) => listBlueprints(calls, query, { terminal, json: values.json === true }),
          'blueprint_list_definitions',
        ),
    },
    show: {
      summary: 'Prints a blueprint',
      usage: 'NAME [--json]',
      example: 'sluice blueprint show onboard-project',
      positionals: [1, 1],
      options: more,
      run: ({ values, positionals: [name = ''] }) =>
        withCalls(
          place,
          values,
          async (calls) => {
            const found = await definitionOf(calls, name);
            if (values.json === true) terminal.print(JSON.stringify(found, null, 2));
            else terminal.print(found.text.trimEnd());
            const { origin, file, hides } = found;
            terminal.say(`From: ${file ?? origin}${hides === undefined ? '' : `; it hides the one from ${hides}`}`);
            return exit.done;
          },
          'blueprint_show',
        ),
    },
    validate: {
      summary: 'Checks blueprints, in files or by name',
      usage: 'FILE|NAME … [--format text|json]',
      example: 'sluice blueprint validate blueprints/*.yaml',
      positionals: [1, MOST_FILES],
      options: { format: { type: 'string', describe: 'text or json' }, ...more },
      run: ({ values, positionals }) => validateBlueprints(place, values, positionals),
    },
    plan: {
      summary: 'Shows what deploying a blueprint would do; changes nothing',
      usage: 'NAME [--input K=V …] [--inputs FILE] [--json]',
      example: 'sluice blueprint plan onboard-project --input project=shop',
      positionals: [1, 1],
      options: { ...inputOptions, ...more },
      run: ({ values, positionals: [name = ''] }) =>
        withCalls(place, values, async (calls) => {
          const inputs = await inputsIn(place, values, name, calls);
          const steps: PlanView['steps'] = [];
          for (;;) {
            const page = await calls.call<PlanView>('blueprint_plan', { name, inputs, from: steps.length });
            steps.push(...page.steps);
            if (page.more_steps !== undefined && page.steps.length > 0) continue;
            const { more_steps: _, ...plan } = { ...page, steps };
            if (values.json === true) terminal.print(JSON.stringify(plan, null, 2));
            else for (const line of planLines(plan, terminal.width)) terminal.print(line);
            return exit.done;
          }
        }),
    },
    save: {
      summary: 'Saves a blueprint from a file in the store',
      usage: 'FILE [--json]',
      example: 'sluice blueprint save hello.yaml',
      positionals: [1, 1],
      options: more,
      run: ({ values, positionals: [file = ''] }) =>
        withCalls(place, values, async (calls) => {
          const text = file === '-' ? await terminal.input() : await textOf(file, place.cwd);
          const saved = await calls.call<OutputOf<typeof save>>('blueprint_save', { text });
          if (values.json === true) terminal.print(JSON.stringify(saved, null, 2));
          for (const { line, message, fix = '' } of saved.findings ?? [])
            terminal.say(firstLine(`${line === undefined ? '' : `line ${line}: `}${message}. ${fix}`));
          terminal.say(`Saved ${saved.name}.`);
          return exit.done;
        }),
    },
    delete: {
      summary: 'Deletes a blueprint from the store; its runs stay',
      usage: 'NAME [--yes]',
      example: 'sluice blueprint delete hello',
      positionals: [1, 1],
      options: { yes, ...more },
      run: ({ values, positionals: [name = ''] }) =>
        withCalls(
          place,
          values,
          async (calls) => {
            const deleted = await calls.call<object>('blueprint_delete', { name });
            if (values.json === true) terminal.print(JSON.stringify(deleted, null, 2));
            terminal.say(`Deleted ${name}.`);
            return exit.done;
          },
          'blueprint_delete',
        ),
    },
  } satisfies Record<string, Verb>;
}

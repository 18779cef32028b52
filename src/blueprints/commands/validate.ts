import { access } from 'node:fs/promises';
import { resolve } from 'node:path';
import { exit, UsageError } from '../../cli/frame.ts';
import { firstLine } from '../../cli/table.ts';
import { choiceIn } from '../../cli/values.ts';
import type { Place } from '../../host/place.ts';
import type { Values } from '../../kernel/command.ts';
import { AppError } from '../../kernel/errors.ts';
import { counted } from '../../kernel/some-of.ts';
import type { OutputOf } from '../../kernel/tool.ts';
import type { validate } from '../tools/validate.ts';
import { type Calls, withCalls } from './calls.ts';
import { textOf } from './inputs.ts';

type Checked = OutputOf<typeof validate>;
type Finding = Checked['findings'][number];

/** `sluice blueprint validate`: files are read here, names are looked up by the gateway. */
export async function validateBlueprints(place: Place, values: Values, names: readonly string[]): Promise<number> {
  const format = formatIn(values);
  const { terminal } = place;
  return withCalls(place, values, async (calls) => {
    const all: ({ readonly of: string } & Checked)[] = [];
    for (const of of names) all.push({ of, ...(await checked(place, calls, of)) });
    if (format === 'json') terminal.print(JSON.stringify(all.length === 1 ? all[0] : all, null, 2));
    else {
      for (const { of, findings, more_findings: more } of all) {
        for (const one of findings) terminal.print(`${of}${findingText(one)}`);
        if (more !== undefined) terminal.print(`${of}: … and ${more} more`);
      }
      const wrong = all.filter(({ valid }) => !valid).length;
      terminal.say(
        wrong === 0
          ? `${counted(all.length, 'blueprint')} checked: no errors.`
          : `${wrong} of ${counted(all.length, 'blueprint')} cannot be deployed.`,
      );
    }
    return all.every(({ valid }) => valid) ? exit.done : exit.failed;
  });
}

/** `hello.yaml:4: error: …`, as compilers write it. */
function findingText({ severity, line, path, message, fix }: Finding): string {
  const where = path === '' ? '' : `${path}: `;
  const said = firstLine(`${where}${message}${/[.!?]$/.test(message) ? '' : '.'} ${fix ?? ''}`);
  return `${line === undefined ? '' : `:${line}`}: ${severity}: ${said}`;
}

async function checked({ cwd, terminal }: Place, { call }: Calls, of: string): Promise<Checked> {
  if (of === '-') return call('blueprint_validate', { text: await terminal.input() });
  const isFile = /[/\\.]/.test(of) || (await exists(resolve(cwd, of)));
  if (!isFile) return call('blueprint_validate', { name: of });
  const text = await textOf(of, cwd);
  if (text === '') throw new AppError('invalid_input', `${of} is empty.`);
  return call('blueprint_validate', { text });
}

const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );

function formatIn(values: Values): 'text' | 'json' {
  const known = choiceIn(values, 'format', ['text', 'json']);
  if (values.json === true && known === 'text') throw new UsageError('use --json or --format, not both');
  return known ?? (values.json === true ? 'json' : 'text');
}

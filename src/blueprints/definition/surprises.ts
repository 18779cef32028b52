import { shown } from '../../kernel/nearest-names.ts';
import type { Path } from './finding.ts';

const yes: ReadonlySet<unknown> = new Set(['yes', 'on', 'y', 'Yes', 'On', 'YES', 'ON']);
const no: ReadonlySet<unknown> = new Set(['no', 'off', 'n', 'No', 'Off', 'NO', 'OFF']);

const types: ReadonlySet<string> = new Set(['string', 'number', 'integer', 'boolean', 'array', 'object']);

/** YAML often reads something else than what was meant. The fix for a value that is wrong, if it is such a surprise. */
export function betterFix(path: Path, value: unknown): string | undefined {
  const key = path.at(-1);
  if (key === 'inputs' && path.length === 1 && Array.isArray(value))
    return 'Write each name with its JSON Schema, such as { team: { type: string } }.';
  if (path[0] === 'inputs')
    return typeof value === 'string' && path.length === 2
      ? `Write a JSON Schema: { type: ${types.has(value) ? value : 'string'} }.`
      : undefined;
  if (key === 'on_failure' && (no.has(value) || value === false || value === null))
    return 'Write keep to leave what was done, or undo to undo it.';
  if (key === 'idempotent' && (yes.has(value) || no.has(value)))
    return `YAML reads ${String(value)} as a text. Write ${yes.has(value) ? 'true' : 'false'}.`;
  if (key === 'retry' && typeof value === 'number') return `Write { times: ${value} }.`;
  if (key === 'undo' && typeof value === 'string')
    return 'Write it as a step without an id: { tool: …, arguments: { … } }.';
  if ((key === 'needs' || key === 'wants') && typeof value === 'string') return `Write [${shown(value, 60)}].`;
  if (key === 'outputs' && typeof value === 'string') return 'Give it a name, such as { result: "${…}" }.';
  if (key === 'id' && typeof value === 'string' && /^[a-z][a-z0-9_-]{0,39}$/i.test(value))
    return `Write ${value.toLowerCase().replaceAll('-', '_')}.`;
  if (key === 'confirm') return 'Write human, or remove it.';
  if (key === 'when' && typeof value === 'boolean') return 'Write an expression, such as "${inputs.monitor}".';
  const wantsText = ['name', 'description', 'id', 'tool', 'workflow', 'approval', 'blueprint', 'as', 'schedule'];
  if (wantsText.includes(String(key)) && (typeof value === 'number' || typeof value === 'boolean'))
    return 'Put it in quotes.';
  return undefined;
}

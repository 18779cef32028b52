import type { Path } from './finding.ts';

const yes: ReadonlySet<unknown> = new Set(['yes', 'on', 'y', 'Yes', 'On', 'YES', 'ON']);
const no: ReadonlySet<unknown> = new Set(['no', 'off', 'n', 'No', 'Off', 'NO', 'OFF']);

const types: ReadonlySet<string> = new Set(['string', 'number', 'integer', 'boolean', 'array', 'object']);

/** YAML often reads something else than what was meant. The fix for a value that is wrong, if it is such a surprise. */
export function betterFix(path: Path, value: unknown): string | undefined {
  const key = path.at(-1);
  if (path[0] === 'inputs')
    return typeof value === 'string' && path.length === 2
      ? `Write a JSON Schema: { type: ${types.has(value) ? value : 'string'} }.`
      : undefined;
  if (key === 'on_failure' && (no.has(value) || value === false || value === null))
    return 'Write keep to leave what was done, or undo to undo it.';
  if (key === 'idempotent' && (yes.has(value) || no.has(value)))
    return `YAML reads ${String(value)} as a text. Write ${yes.has(value) ? 'true' : 'false'}.`;
  if (key === 'confirm') return 'Write human, or remove it.';
  if (key === 'when' && typeof value === 'boolean') return 'Write an expression, such as "${inputs.monitor}".';
  const wantsText = ['name', 'description', 'id', 'tool', 'workflow', 'approval', 'blueprint', 'as', 'schedule'];
  if (wantsText.includes(String(key)) && (typeof value === 'number' || typeof value === 'boolean'))
    return 'Put it in quotes.';
  return undefined;
}

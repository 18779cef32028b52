import type { Json, Outcome } from '../kernel/source.ts';
import { code, errorOutcome, isObject } from '../wire/jsonrpc.ts';
import { fieldsOf } from './form.ts';
import { harmless } from '../kernel/harmless.ts';
import { firstLine } from './table.ts';
import type { Terminal } from '../host/terminal.ts';

/**
 * Answers a tool's questions by asking the person at the terminal; without a terminal it declines.
 * `yes` answers for that person if the gateway only wants a confirmation, unless a person must confirm.
 */
export function createAnswerer(terminal: Terminal, yes: boolean) {
  return async (method: string, params: Json | undefined, signal: AbortSignal): Promise<Outcome> => {
    if (method !== 'elicitation/create' || (params?.mode ?? 'form') !== 'form') {
      return errorOutcome(code.methodNotFound, `The command line does not do ${method}.`);
    }
    const confirm = isObject(params?._meta) ? params._meta['sluice/confirm'] : undefined;
    if (yes && confirm === 'any') return { result: { action: 'accept', content: {} } };
    const message = typeof params?.message === 'string' ? harmless(params.message) : 'The tool asks for input.';
    if (!terminal.interactive) {
      const remedy = confirm === 'any' ? 'Add --yes to allow it.' : 'Run this on a terminal to answer.';
      terminal.say(`Declined: this is not a terminal, so nobody can answer. ${firstLine(message)} ${remedy}`);
      return { result: { action: 'decline' } };
    }
    return { result: await fillIn(message, params?.requestedSchema, terminal, signal) };
  };
}

async function fillIn(message: string, schema: unknown, terminal: Terminal, signal: AbortSignal): Promise<Json> {
  const fields = fieldsOf(schema);
  if (fields.length === 0) {
    const answer = await terminal.ask(`${message} [y/N] `, { signal });
    return answer !== undefined && /^y(es)?$/i.test(answer) ? { action: 'accept', content: {} } : { action: 'decline' };
  }
  terminal.say(`${message}\n(Ctrl-D declines)`);
  const content = new Map<string, unknown>();
  for (const field of fields) {
    for (;;) {
      const text = await terminal.ask(`  ${field.question}`, { signal });
      if (text === undefined) return { action: 'decline' };
      if (text === '' && field.fallback === undefined) {
        if (!field.required) break;
        terminal.say('  This field is required.');
        continue;
      }
      const given = field.read(text);
      if ('value' in given) {
        content.set(field.key, given.value);
        break;
      }
      terminal.say(`  ${given.problem}`);
    }
  }
  return { action: 'accept', content: Object.fromEntries(content) };
}

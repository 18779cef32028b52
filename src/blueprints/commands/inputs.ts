import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { UsageError } from '../../cli/frame.ts';
import { textIn, textsIn } from '../../cli/values.ts';
import type { Place } from '../../host/place.ts';
import type { Options, Values } from '../../kernel/command.ts';
import { AppError } from '../../kernel/errors.ts';
import { fileTrouble } from '../../kernel/file-errors.ts';
import type { Json } from '../../kernel/source.ts';
import { isObject } from '../../wire/jsonrpc.ts';
import { readYaml } from '../definition/document.ts';
import { findingLine } from '../definition/finding.ts';
import { readDefinition } from '../definition/read.ts';
import type { Calls } from './calls.ts';
import { definitionOf } from './definition-text.ts';
import { inputValue } from './input-value.ts';

export const inputOptions: Options = {
  input: { type: 'string', repeats: 'apart', describe: 'NAME=VALUE: an input; may be given several times' },
  inputs: { type: 'string', describe: 'A YAML or JSON file with inputs; - is stdin' },
  secret: {
    type: 'string',
    repeats: 'apart',
    describe: 'NAME: asks for this input, hidden; may be given several times',
  },
};

/** The inputs that a command was given: those of the file, then those of the options, then those that were asked for. */
export async function inputsIn(
  { terminal, cwd }: Pick<Place, 'terminal' | 'cwd'>,
  values: Values,
  name: string,
  calls: Calls,
): Promise<Json> {
  const pairs = textsIn(values, 'input').map(pairIn);
  const secrets = textsIn(values, 'secret');
  if (secrets.length > 0 && !terminal.interactive)
    throw new UsageError('--secret asks on a terminal; use --inputs - to pass secrets from a program');
  const inputs = new Map(Object.entries(await fromFile(textIn(values, 'inputs'), terminal.input, cwd)));
  if (pairs.length > 0) {
    const schemas = readDefinition((await definitionOf(calls, name)).text).definition?.inputs ?? {};
    for (const [input, text] of pairs)
      inputs.set(input, inputValue(input, text, Object.hasOwn(schemas, input) ? schemas[input] : undefined));
  }
  for (const secret of secrets) {
    const answer = await terminal.ask(`${secret}: `, { hidden: true, signal: calls.signal });
    if (answer === undefined) throw new AppError('cancelled', 'Stopped. Nothing was done.');
    inputs.set(secret, answer);
  }
  return Object.fromEntries(inputs);
}

function pairIn(given: string): readonly [name: string, text: string] {
  const at = given.indexOf('=');
  // It may be a secret, so it is not repeated.
  if (at < 1) throw new UsageError('--input must be NAME=VALUE');
  return [given.slice(0, at), given.slice(at + 1)];
}

async function fromFile(file: string | undefined, input: () => Promise<string>, cwd: string): Promise<Json> {
  if (file === undefined) return {};
  if (/^\s*[[{]/.test(file))
    throw new UsageError(
      '--inputs is a file, or - for stdin: inputs on the command line could be read by others on this machine',
    );
  const { value, findings } = readYaml(file === '-' ? await input() : await textOf(file, cwd));
  const [wrong] = findings;
  const where = file === '-' ? 'stdin' : file;
  if (wrong) throw new AppError('invalid_input', `${where}: ${findingLine(wrong)}`);
  if (value === null || value === undefined) return {};
  if (!isObject(value))
    throw new AppError('invalid_input', `${where} must be a map of inputs, such as \`team: blue\`.`);
  return value;
}

/** A file that the command line names. */
export async function textOf(file: string, cwd: string): Promise<string> {
  try {
    return await readFile(resolve(cwd, file), 'utf8');
  } catch (error) {
    throw new AppError('invalid_input', `${file} ${fileTrouble(error)}.`, { cause: error });
  }
}

import type { CommandOption, Values } from '../kernel/command.ts';
import { oneOf } from '../kernel/nearest-names.ts';
import { own } from '../kernel/own.ts';
import { APART, UsageError } from './frame.ts';

export const configOption: CommandOption = {
  type: 'string',
  short: 'c',
  describe: 'The configuration file (sluice.yaml here, else in the data directory)',
};

/** For commands that use a running gateway if there is one. */
export const configWithoutGateway: CommandOption = {
  type: 'string',
  short: 'c',
  describe: 'The configuration file, if no gateway runs',
};

export const jsonOption: CommandOption = { type: 'boolean', describe: 'Print JSON' };

export function textIn(values: Values, option: string): string | undefined {
  const given = own(values, option);
  return typeof given === 'string' ? given : undefined;
}

/** Each value of an option that repeats `apart`. */
export const textsIn = (values: Values, option: string): string[] => textIn(values, option)?.split(APART) ?? [];

/** `{ file: 'a.yaml' }`, or `{}` without a value: to spread into other options. */
export function given<Name extends string>(name: Name, value: string | undefined): { [N in Name]?: string } {
  return (value === undefined ? {} : { [name]: value }) as { [N in Name]?: string };
}

export function numberIn(values: Values, option: string, [least, most]: readonly [number, number]): number | undefined {
  const text = textIn(values, option);
  if (text === undefined) return undefined;
  const number = Number(text);
  if (text.trim() !== '' && Number.isInteger(number) && number >= least && number <= most) return number;
  const range = most === Number.POSITIVE_INFINITY ? `${least} or more` : `a number from ${least} to ${most}`;
  throw new UsageError(`--${option} must be ${range}, not ${text}`);
}

/** The option if it is one of these words. */
export function choiceIn<Word extends string>(
  values: Values,
  option: string,
  words: readonly Word[],
): Word | undefined {
  const text = textIn(values, option);
  const known = words.find((word) => word === text);
  if (text !== undefined && known === undefined)
    throw new UsageError(`--${option} must be ${oneOf(words)}, not ${text}`);
  return known;
}

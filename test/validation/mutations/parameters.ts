import { changed, gone } from '../case.ts';
import type { Mutant, Mutation, Sound } from '../mutation.ts';

type Node = Readonly<Record<string, unknown>>;
type Parameters = Readonly<Record<string, unknown>>;

const request = /\.httpRequest$/;
const schedule = /\.scheduleTrigger$/;

/** Changes one parameter of every node of a type that has it. */
function ofType(
  rule: string,
  name: string,
  type: RegExp,
  key: string,
  value: unknown,
  wanted?: (parameters: Parameters) => boolean,
): Mutation {
  return {
    rule,
    name,
    break: (workflow) =>
      breakable(workflow, type).flatMap(([parameters, index]): Mutant[] => {
        if (wanted ? !wanted(parameters) : !Object.hasOwn(parameters, key)) return [];
        const path = `/nodes/${index}/parameters/${key}`;
        return [{ workflow: changed(workflow, path, value), path }];
      }),
  };
}

/** Changes a nested parameter in every node of a type. */
function below(
  rule: string,
  name: string,
  type: RegExp,
  find: (parameters: Parameters) => readonly string[],
  value: unknown,
  at = '',
): Mutation {
  return {
    rule,
    name,
    break: (workflow) =>
      breakable(workflow, type).flatMap(([parameters, index]): Mutant[] =>
        find(parameters).map((place) => {
          const path = `/nodes/${index}/parameters/${place}`;
          return { workflow: changed(workflow, path, value), path: path + at };
        }),
      ),
  };
}

function breakable({ nodes }: Sound, type: RegExp): [Parameters, number][] {
  return nodes.flatMap((node: Node, index): [Parameters, number][] => {
    const { parameters, disabled } = node;
    // Older versions use other names.
    const isOld = type === request && Number(node['typeVersion']) < 3;
    const isIt =
      !isOld &&
      type.test(String(node['type'])) &&
      disabled !== true &&
      typeof parameters === 'object' &&
      parameters !== null;
    return isIt ? [[parameters as Parameters, index]] : [];
  });
}

interface Place {
  readonly path: string;
  readonly value: unknown;
}

/** Every nested value, with its path. */
function everyValue(value: unknown, path = ''): Place[] {
  const here = [{ path, value }];
  if (typeof value !== 'object' || value === null) return here;
  return [
    ...here,
    ...Object.entries(value).flatMap(([key, one]) => everyValue(one, path === '' ? key : `${path}/${key}`)),
  ];
}

function conditionsOf(parameters: Parameters): string[] {
  return everyValue(parameters)
    .filter(
      ({ path, value }) =>
        /conditions\/\d+$/.test(path) && typeof value === 'object' && value !== null && 'operator' in value,
    )
    .map(({ path }) => path);
}

function intervalsOf(parameters: Parameters): string[] {
  return everyValue(parameters).flatMap(({ path }) => (/^rule\/interval\/\d+$/.test(path) ? [path] : []));
}

export const mutations: Mutation[] = [
  ofType('required-parameter', 'no URL', request, 'url', gone),
  ofType('required-parameter', 'an empty URL', request, 'url', ''),
  ofType('invalid-url', 'a URL without its scheme', request, 'url', 'example.com/path'),
  ofType('parameter-type', 'an object for a URL', request, 'url', { a: 1 }),
  ofType('unknown-parameter', 'a misspelt name', request, 'methd', 'POST', (given) => !Object.hasOwn(given, 'method')),
  ofType('unknown-option', 'a method that does not exist', request, 'method', 'FETCH', () => true),
  ofType('collection-shape', 'options in a list', request, 'options', [{ timeout: 1 }], () => true),
  below('unknown-parameter', 'an option that does not exist', request, () => ['options'], { timeuot: 1 }, '/timeuot'),
  ofType(
    'ignored-parameter',
    'a body that is not sent',
    request,
    'jsonBody',
    '{"a":1}',
    (given) => !Object.hasOwn(given, 'sendBody'),
  ),
  ofType('parameter-type', 'a string for a boolean', request, 'sendQuery', 'perhaps', () => true),
  ofType(
    'invalid-json',
    'a body that is not JSON',
    request,
    'jsonBody',
    '{ "a": ',
    (given) => given['specifyBody'] === 'json' && given['sendBody'] === true,
  ),
  below(
    'fixed-collection-shape',
    'a group that is not a list',
    request,
    (given) => (given['sendHeaders'] === true ? ['headerParameters'] : []),
    { parameters: { name: 'a' } },
    '/parameters',
  ),
  below(
    'invalid-cron',
    'a cron expression of the wrong numbers',
    schedule,
    intervalsOf,
    { field: 'cronExpression', expression: '99 99 * * *' },
    '/expression',
  ),
  below(
    'schedule-interval',
    'a schedule without an interval',
    schedule,
    intervalsOf,
    { field: 'minutes', minutesInterval: 0 },
    '/minutesInterval',
  ),
  below(
    'unknown-option',
    'a unit of time that does not exist',
    schedule,
    intervalsOf,
    { field: 'fortnights' },
    '/field',
  ),
  below(
    'filter-shape',
    'an operator that does not exist',
    /\.(if|filter|switch)$/,
    (given) => conditionsOf(given).map((path) => `${path}/operator`),
    { type: 'string', operation: 'resembles' },
    '/operation',
  ),
  below(
    'filter-shape',
    'a condition without its operator',
    /\.(if|filter|switch)$/,
    (given) => conditionsOf(given).map((path) => `${path}/operator`),
    gone,
  ),
  below(
    'assignment-shape',
    'a field of a type that does not exist',
    /\.set$/,
    (given) =>
      everyValue(given).flatMap(({ path }) => (/^assignments\/assignments\/\d+\/type$/.test(path) ? [path] : [])),
    'strng',
  ),
  below(
    'assignment-shape',
    'fields in a bare list',
    /\.set$/,
    (given) => (Object.hasOwn(given, 'assignments') ? ['assignments'] : []),
    [{ id: '1', name: 'a', type: 'string', value: '' }],
  ),
];

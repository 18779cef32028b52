import { globals } from '../expressions/variables.ts';

/** What an expression claims to have, and code has not. */
const onlyInExpressions = new Set([
  'process',
  'window',
  'extend',
  'extendOptional',
  'min',
  'max',
  'not',
  'average',
  'numberList',
  'zip',
  'toPathSegment',
]);

/** Of JavaScript and of n8n, what the code of a node can use without declaring it. */
export const codeGlobals: ReadonlySet<string> = new Set([
  ...[...globals].filter((name) => !onlyInExpressions.has(name)),
  'AggregateError',
  'AsyncIterator',
  'AsyncDisposableStack',
  'Buffer',
  'DisposableStack',
  'FinalizationRegistry',
  'Float16Array',
  'FormData',
  'Function',
  'Iterator',
  'Promise',
  'Proxy',
  'Reflect',
  'SuppressedError',
  'TextDecoder',
  'TextDecoderStream',
  'TextEncoder',
  'TextEncoderStream',
  'WeakRef',
  'WebAssembly',
  'arguments',
  'atob',
  'btoa',
  'clearImmediate',
  'clearInterval',
  'clearTimeout',
  'console',
  'escape',
  'eval',
  'helpers',
  'module',
  'require',
  'setImmediate',
  'setInterval',
  'setTimeout',
  'undefined',
  'unescape',
]);

const REQUEST = 'Use an HTTP Request node before this one, or this.helpers.httpRequest({ url }).';
const BROWSER = 'There is no browser here: work on the text, or use the HTML node.';

/** What people expect from browsers, from Node or from older versions, and what to do instead. */
export const absentInCode: ReadonlyMap<string, string> = new Map([
  ['fetch', REQUEST],
  ['axios', REQUEST],
  ['XMLHttpRequest', REQUEST],
  ['$helpers', 'It is called helpers here, or this.helpers.'],
  ['process', 'Settings are in $vars or in credentials.'],
  ['URL', "Take the address apart as a text, or load it with require('url') if this n8n allows that."],
  ['URLSearchParams', 'Put the query together with encodeURIComponent(…).'],
  ['structuredClone', 'Use JSON.parse(JSON.stringify(value)).'],
  ['crypto', 'Use the Crypto node.'],
  ['window', BROWSER],
  ['document', BROWSER],
  ['localStorage', "What is to be kept goes into $getWorkflowStaticData('global')."],
  ['moment', 'Dates are made with DateTime (Luxon) here.'],
  ['luxon', 'DateTime, Duration and Interval are there without it.'],
]);

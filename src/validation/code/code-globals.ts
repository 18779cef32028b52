import { globals } from '../expressions/variables.ts';

/** Names that exist in expressions, but not in code. */
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

/** JavaScript and n8n names that the code of a node can use without declaring them. */
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
const BROWSER = 'Code does not run in a browser: work on the text, or use the HTML node.';

/** Names that people know from browsers, Node or older versions, and what to use instead. */
export const absentInCode: ReadonlyMap<string, string> = new Map([
  ['fetch', REQUEST],
  ['axios', REQUEST],
  ['XMLHttpRequest', REQUEST],
  ['$helpers', 'Use helpers or this.helpers.'],
  ['process', 'Read settings from $vars or credentials.'],
  ['URL', "Parse the URL as text, or load it with require('url') if this n8n allows that."],
  ['URLSearchParams', 'Build the query with encodeURIComponent(…).'],
  ['structuredClone', 'Use JSON.parse(JSON.stringify(value)).'],
  ['crypto', 'Use the Crypto node.'],
  ['window', BROWSER],
  ['document', BROWSER],
  ['localStorage', "Store data in $getWorkflowStaticData('global')."],
  ['moment', 'Use DateTime (Luxon) for dates.'],
  ['luxon', 'Use DateTime, Duration and Interval directly.'],
]);

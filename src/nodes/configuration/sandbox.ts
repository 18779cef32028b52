import { type Context, createContext, Script } from 'node:vm';

/** Far more than any real expression needs, so that a busy machine does not change the result. */
const LIMIT_MS = 1000;
const MOST_CHECKED = 1000;
/** How long to block code after a timeout. Not forever: one caller's input may have caused it. */
const REST_MS = 60_000;

/**
 * Freezes everything in the sandbox, so that no code leaves anything behind for the next. Removes everything asynchronous:
 * a rejected promise inside would be an unhandled rejection of our process.
 */
const freezeAll = `'use strict'; {
  for (const name of ['Promise', 'WebAssembly', 'Atomics', 'SharedArrayBuffer', 'FinalizationRegistry', 'WeakRef', 'console']) {
    delete globalThis[name];
  }
  delete Array.fromAsync;
  Error.stackTraceLimit = 0;
  const seen = new Set();
  const freeze = (value) => {
    if ((typeof value !== 'object' && typeof value !== 'function') || value === null || seen.has(value)) return;
    seen.add(value);
    for (const key of Reflect.ownKeys(value)) {
      const { value: held, get, set } = Reflect.getOwnPropertyDescriptor(value, key);
      freeze(held); freeze(get); freeze(set);
    }
    freeze(Reflect.getPrototypeOf(value));
    if (value !== globalThis) Object.freeze(value);
  };
  for (const sample of [function* () {}, [][Symbol.iterator](), ''.matchAll(/a/g),
    new Map().keys(), new Set().keys(), ''[Symbol.iterator](), [].values().map((x) => x)]) freeze(sample);
  freeze(globalThis);
  for (const key of Reflect.ownKeys(globalThis)) {
    const own = Reflect.getOwnPropertyDescriptor(globalThis, key);
    if (own.configurable && 'value' in own) Reflect.defineProperty(globalThis, key, { ...own, writable: false, configurable: false });
  }
}`;

/**
 * Runs small pieces of JavaScript that come with a node. Only JSON goes in and out, so no objects are shared. The code
 * cannot compile other code, and is stopped after a timeout.
 */
export function createSandbox() {
  let context: Context | undefined;
  let names = 0;
  const sound = new Map<string, boolean>();
  /** Code that timed out, and until when it is blocked for any input. */
  const resting = new Map<string, number>();

  /** Evaluates `source`, an expression over `input`. Undefined if it fails or its value is not JSON. */
  return function evaluate(source: string, json: string): unknown {
    if (!isExpression(source) || Date.now() < (resting.get(source) ?? 0)) return undefined;
    try {
      if (!context) names = Reflect.ownKeys((context = fresh())).length;
      const input = `JSON.parse(${JSON.stringify(json)})`;
      const script = new Script(`'use strict'; ((input) => JSON.stringify((${source}\n)))(${input})`);
      const result: unknown = script.runInContext(context, { timeout: LIMIT_MS });
      return typeof result === 'string' ? JSON.parse(result) : undefined;
    } catch (error) {
      if ((error as NodeJS.ErrnoException | null)?.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT') {
        if (resting.size >= MOST_CHECKED) resting.clear();
        resting.set(source, Date.now() + REST_MS);
      }
      return undefined;
    } finally {
      // The global object cannot be frozen: if code added a name to it, discard the context.
      if (context && Reflect.ownKeys(context).length !== names) context = undefined;
    }
  };

  /** Code that is no expression by itself, such as `1); (2`, must not become one inside our wrapper. */
  function isExpression(source: string): boolean {
    let answer = sound.get(source);
    if (answer === undefined) {
      if (sound.size >= MOST_CHECKED) sound.clear();
      sound.set(source, (answer = compiles(source)));
    }
    return answer;
  }
}

function fresh(): Context {
  const context = createContext(Object.create(null) as Context, {
    codeGeneration: { strings: false, wasm: false },
    microtaskMode: 'afterEvaluate',
  });
  new Script(freezeAll).runInContext(context, { timeout: 5000 });
  return context;
}

function compiles(source: string): boolean {
  if (/\b(import|async)\b/.test(source)) return false;
  try {
    void new Script(`(${source}\n)`);
    return true;
  } catch {
    return false;
  }
}

import { type Context, createContext, Script } from 'node:vm';

/** Far more than any of them takes: a busy machine must not change what a node is said to have. */
const LIMIT_MS = 1000;
const MOST_CHECKED = 1000;
/** How long what took too long is left alone. Not for ever: it may have been for what one caller gave it. */
const REST_MS = 60_000;

/**
 * Everything in there is frozen, so that no piece of code leaves anything behind for the next. What works later than now
 * is taken away: a promise that fails in there would be an unhandled failure out here.
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
 * Runs small pieces of JavaScript that came with a node. They see one piece of JSON and give one back: no object of ours
 * ever gets inside, none of theirs gets out, nothing can be compiled in there, and what takes too long is ended.
 */
export function createSandbox() {
  let context: Context | undefined;
  let names = 0;
  const sound = new Map<string, boolean>();
  /** What took too long, and until when it is not run again, whatever it is given. */
  const resting = new Map<string, number>();

  /** The value that `source` (an expression over `input`) has, by way of JSON; undefined where it has none. */
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
      // A global cannot be kept from taking new names.
      if (context && Reflect.ownKeys(context).length !== names) context = undefined;
    }
  };

  /** What is no expression by itself, such as `1); (2`, must not become one by what stands around it. */
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

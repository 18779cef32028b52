import type { Cancellation } from '../kernel/cancellation.ts';
import type { Principal } from '../kernel/principal.ts';
import type { ClientFacts } from '../kernel/source.ts';
import type { Trace } from '../kernel/trace.ts';
import type { Answer, Connection, Exchange, View } from './service.ts';

/**
 * One request in progress. It is a class because V8 stores an object literal with a getter as a dictionary. With
 * literals, a third of what calls allocate survived every minor garbage collection, and a call answered by the gateway
 * itself cost 68 µs instead of 52.
 */
export class RequestExchange implements Exchange {
  readonly principal: Principal;
  readonly view: View;
  readonly client: ClientFacts;
  readonly stop: Cancellation;
  readonly trace: Trace;
  readonly paramHeaders?: Readonly<Record<string, string>>;
  readonly bytes?: number;
  readonly confirmToken?: string;
  readonly connection?: Connection;
  readonly notify: Exchange['notify'];
  readonly ask: Exchange['ask'];
  #release: (() => void) | undefined;

  constructor(given: Omit<Exchange, 'signal' | 'stop'> & { stop: Cancellation }) {
    this.principal = given.principal;
    this.view = given.view;
    this.client = given.client;
    this.stop = given.stop;
    this.trace = given.trace;
    if (given.paramHeaders) this.paramHeaders = given.paramHeaders;
    if (given.bytes !== undefined) this.bytes = given.bytes;
    if (given.confirmToken !== undefined) this.confirmToken = given.confirmToken;
    if (given.connection) this.connection = given.connection;
    this.notify = given.notify;
    this.ask = given.ask;
  }

  get signal(): AbortSignal {
    return this.stop.signal;
  }

  hold(release: () => void): void {
    const before = this.#release;
    this.#release = () => {
      before?.();
      release();
    };
  }

  /** The answer with what to call when the client has it. */
  held(answer: Answer): Answer {
    return this.#release ? { ...answer, release: this.#release } : answer;
  }
}

import { duplexPair } from 'node:stream';
import { attach, attachDoctor, attachEvents } from './host/attach.ts';
import { homeDirectory, socketPath } from './host/home.ts';
import type { GatewayAccess } from './cli/reach.ts';
import type { Env } from './host/part.ts';
import { toAppError } from './kernel/errors.ts';
import { localOwner } from './kernel/principal.ts';
import { loadOrFail, type Runtime, startRuntime } from './runtime.ts';
import { version } from './version.ts';
import { serveStream } from './wire/stream.ts';

/** How commands get at a gateway of this home: attached to one that runs, or with one of their own in this process. */
export function gatewayAccess(env: Env): GatewayAccess {
  const home = homeDirectory(env);
  return {
    home,
    version,
    attach: (expose) => attach(socketPath(home), expose),
    attachDoctor: () => attachDoctor(socketPath(home)),
    attachEvents: (wish) => attachEvents(socketPath(home), wish),
    async start({ config, expose, tool, signal }) {
      const options = { home, cwd: process.cwd(), env, ...(config !== undefined && { file: config }) };
      const loaded = await loadOrFail(options);
      await using stack = new AsyncDisposableStack();
      const runtime = stack.use(await startRuntime(options, loaded));
      await Promise.race([
        runtime.settled,
        ...(tool === undefined ? [] : [untilListed(runtime, tool)]),
        ...(signal ? [untilAborted(signal)] : []),
      ]);
      const [near, far] = duplexPair();
      const view = expose ? { expose } : {};
      const { service } = runtime.apis.gateway;
      serveStream({ input: far, output: far, service, principal: localOwner, view, id: 'command' });
      const owned = stack.move();
      return { stream: near, checks: runtime.check, [Symbol.asyncDispose]: () => owned.disposeAsync() };
    },
  };
}

/** Settles as soon as a tool is known, though other servers are still starting. */
function untilListed(
  {
    apis: {
      gateway: { registry },
    },
  }: Runtime,
  tool: string,
): Promise<void> {
  return new Promise((resolve) => {
    const look = () => {
      if (!registry.find(tool)) return;
      stop();
      resolve();
    };
    const stop = registry.onChange(look);
    look();
  });
}

function untilAborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const abort = () => reject(toAppError(signal.reason));
    if (signal.aborted) abort();
    else signal.addEventListener('abort', abort, { once: true });
  });
}

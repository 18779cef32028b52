import { setTimeout as delay } from 'node:timers/promises';
import { banner, summary } from './banner.ts';
import { attach, openAttachment } from './host/attach.ts';
import { exit, UsageError } from './cli/frame.ts';
import { homeDirectory, socketPath } from './host/home.ts';
import { untilSignal } from './cli/interrupt.ts';
import type { Terminal } from './cli/terminal.ts';
import { ConfigError, type Env, formatProblems, type Loaded } from './host/config/load.ts';
import type { Config } from './host/config/schema.ts';
import { watchConfig } from './host/config/watch.ts';
import { harmless } from './kernel/harmless.ts';
import { localOwner } from './kernel/principal.ts';
import type { Command } from './kernel/part.ts';
import { logStyle } from './observation.ts';
import { assertNotOpen, listenAt } from './server/listening.ts';
import { load, type Runtime, type RuntimeOptions, startRuntime } from './runtime.ts';
import { version } from './version.ts';
import { serveStream } from './wire/stream.ts';

const CATALOGUES_MS = 3000;
const N8N_LOOK_MS = 1500;

const exposures = ['flat', 'compact', 'search'] as const;

const shared = {
  config: {
    type: 'string',
    short: 'c',
    describe: 'The configuration file (sluice.yaml here, else in the data directory)',
  },
  expose: { type: 'string', describe: 'How tools are listed: flat, compact or search' },
} as const;

type Values = Record<string, string | boolean | undefined>;

function runtimeOptions(values: Values, env: Env): RuntimeOptions {
  const expose = exposures.find((known) => known === values.expose);
  if (values.expose !== undefined && !expose)
    throw new UsageError(`--expose is flat, compact or search, not ${values.expose}`);
  return {
    home: homeDirectory(env),
    cwd: process.cwd(),
    env,
    log: logStyle(env),
    ...(typeof values.config === 'string' && { file: values.config }),
    ...(expose && { expose }),
    ...(values['with-n8n'] === true && { withN8n: true }),
  };
}

/** The configuration, or undefined after its problems were printed. */
async function loadOrExplain(options: RuntimeOptions): Promise<Loaded | undefined> {
  try {
    return await load(options);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    console.error(harmless(formatProblems(error)));
    return undefined;
  }
}

/** What `sluice doctor` shows of a gateway that runs. */
async function* examined(runtime: Runtime, url: string, home: string, signal: AbortSignal): AsyncGenerator<string> {
  const { checkLines } = await import('./doctor.ts');
  const detail = `version ${version} runs at ${url} (process ${process.pid}); it was asked, nothing was started`;
  yield `${JSON.stringify({ check: 'gateway', result: 'ok', detail })}\n`;
  yield* checkLines(runtime, home, signal);
}

const signsIn = ({ auth }: Config) => auth.mode === 'oauth' || auth.mode === 'both';

const changedAuth = (before: Config, after: Config) =>
  JSON.stringify(before.auth) === JSON.stringify(after.auth) ? [] : ['auth'];

/** The few settings that are read only at the start. */
function needRestart(before: Config, after: Config): string[] {
  return [
    ...(before.server.host !== after.server.host ? ['server.host'] : []),
    ...(before.server.port !== after.server.port ? ['server.port'] : []),
    ...(internalAddress(before) !== internalAddress(after) ? ['server.internal'] : []),
    ...(signsIn(before) || signsIn(after) ? changedAuth(before, after) : []),
    ...(before.metrics.enabled !== after.metrics.enabled ? ['metrics.enabled'] : []),
    ...(before.metrics.maxTools !== after.metrics.maxTools ? ['metrics.maxTools'] : []),
  ];
}

/** Where the internal listener is; its scopes may change while it runs. */
function internalAddress({ server: { internal } }: Config): string {
  return JSON.stringify(internal && { ...internal, scopes: [] });
}

/** Keeps the configuration current: what changes in the file takes effect, and what is wrong in it is said. */
function watch(runtime: Runtime, options: RuntimeOptions): AsyncDisposable {
  const { file, paths } = runtime.loaded();
  return watchConfig(
    () => load(file === undefined ? options : { ...options, file }),
    paths,
    async (next: Loaded) => {
      const before = runtime.config();
      await runtime.reload(next);
      const later = needRestart(before, next.config);
      if (later.length > 0) runtime.log?.write('warn', `For ${later.join(' and ')} restart the gateway.`);
    },
    runtime.rejected,
  );
}

export function serveCommand(env: Env, terminal: Terminal): Command {
  return {
    name: 'serve',
    summary: 'Serves the gateway over HTTP',
    usage: 'sluice serve [--config F] [--host A] [--port N] [--with-n8n] [--expose flat|compact|search]',
    example: 'sluice serve --port 3500',
    options: {
      ...shared,
      host: { type: 'string', describe: 'The address to listen on (127.0.0.1)' },
      port: { type: 'string', short: 'p', describe: 'The port to listen on (3500)' },
      'with-n8n': { type: 'boolean', describe: 'Also install (once) and run an n8n on this machine' },
    },
    async run({ values }) {
      const options = runtimeOptions(values, env);
      const port = values.port === undefined ? undefined : Number(values.port);
      if (port !== undefined && !(Number.isInteger(port) && port >= 0 && port < 65_536))
        throw new UsageError(`--port is a number from 0 to 65535, not ${values.port}`);
      const loaded = await loadOrExplain(options);
      if (!loaded) return exit.failed;
      if (loaded.environment.transport === 'stdio') return serveStdio(options, loaded);
      const stopped = untilSignal();
      const { server: wanted, auth } = loaded.config;
      const host = typeof values.host === 'string' ? values.host : wanted.host;
      // What is taken or refused is so before any server is started.
      assertNotOpen(host, auth.mode === 'none' && loaded.environment.authToken === undefined);
      await using listening = await listenAt(host, port ?? wanted.port);
      const { bindInternal, openInternalListener } = await import('./server/internal-listener.ts');
      await using internally = await bindInternal(wanted);
      await using runtime = await startRuntime(options, loaded);
      // The servers behind us start meanwhile.
      const { openProtection } = await import('./protection.ts');
      const { startServer } = await import('./server/server.ts');
      using protection = await openProtection(runtime, { host });
      await using server = await startServer({
        service: runtime.gateway.service,
        version,
        guard: { ...protection.guard, counted: runtime.metrics?.refused },
        port: listening,
        ready: runtime.isSettled,
        status: runtime.status,
        routes: runtime.routes,
        rest: runtime.rest,
        extra: protection.extra,
        insufficient: protection.insufficient,
        security: protection.security,
      });
      protection.onRevoked(server.dismiss);
      await using internal = await openInternalListener(
        {
          version,
          settings: () => runtime.config().server,
          ready: runtime.isSettled,
          rest: runtime.rest,
          warn: (line) => runtime.log?.write('warn', line),
        },
        internally,
      );
      runtime.countSessions(server.sessions);
      runtime.servedAt(`${server.url}/mcp`);
      await using attachment = await openAttachment(socketPath(options.home), runtime.gateway.service, {
        events: runtime.eventFeed,
        doctor: (_, signal) => examined(runtime, server.url, options.home, signal),
      });
      await using _watch = watch(runtime, options);
      runtime.events.record({ type: 'gateway.started', version, url: server.url });
      const address = runtime.config().server.publicUrl?.replace(/\/$/, '') ?? server.url;
      const { open } = protection.guard.settings();
      const token = loaded.environment.authToken !== undefined;
      console.log(banner(address, loaded.file, { mode: runtime.config().auth.mode, token, open }));
      if (protection.newPassword !== undefined) {
        console.log(
          `  Owner password, shown this once: ${protection.newPassword}\n  (sluice owner reset makes a new one.)\n`,
        );
      }
      if (!attachment.isOurs()) {
        console.log('  Another gateway of this data directory takes commands; this one does when that has gone.\n');
      }
      if (internal) console.log(`  Internal listener at ${internal.at}\n`);
      const { startLocalN8n } = values['with-n8n'] ? await import('./local-n8n.ts') : {};
      await using _n8n = startLocalN8n?.(options, terminal, runtime.n8n.connect, runtime.n8n.localIs);
      // What n8n says of itself comes in a moment, or not at all.
      const looked = Promise.race([runtime.n8n.looked(), delay(N8N_LOOK_MS, undefined, { ref: false })]);
      void Promise.all([runtime.settled, looked]).then(() => console.log(harmless(summary(runtime))));
      // Not at the same time as everything else starts.
      const checking = setTimeout(runtime.catalogues.check, CATALOGUES_MS).unref();
      const reason = await stopped;
      clearTimeout(checking);
      runtime.events.record({ type: 'gateway.stopped', reason });
      runtime.endStreams();
      return exit.done;
    },
  };
}

export function stdioCommand(env: Env): Command {
  return {
    name: 'stdio',
    summary: 'Serves the gateway over stdio, for Claude Desktop, Cursor and others',
    usage: 'sluice stdio [--config F]',
    example: 'sluice stdio --config ~/sluice.yaml',
    options: shared,
    async run({ values }) {
      const options = runtimeOptions(values, env);
      const running = await attach(socketPath(options.home), options.expose);
      if (running) {
        // Another gateway of this home has the backends up: its lines are ours.
        process.stdin.pipe(running);
        running.pipe(process.stdout);
        await new Promise<void>((resolve) => running.once('close', () => resolve()));
        process.stdin.destroy();
        return exit.done;
      }
      const loaded = await loadOrExplain(options);
      return loaded ? serveStdio(options, loaded) : exit.failed;
    },
  };
}

async function serveStdio(options: RuntimeOptions, loaded: Loaded): Promise<number> {
  await using runtime = await startRuntime(options, loaded);
  await using _watch = watch(runtime, options);
  runtime.events.record({ type: 'gateway.started', version });
  const served = serveStream({
    input: process.stdin,
    output: process.stdout,
    service: runtime.gateway.service,
    principal: localOwner,
    view: {},
    id: 'stdio',
  });
  // Without an n8n nothing is fetched before somebody asks for nodes.
  const checking = setTimeout(() => {
    if (runtime.n8n.names().length > 0) runtime.catalogues.check();
  }, CATALOGUES_MS).unref();
  const reason = await Promise.race([served.closed.then(() => 'the client has gone'), untilSignal()]);
  clearTimeout(checking);
  served.close();
  runtime.events.record({ type: 'gateway.stopped', reason });
  process.stdin.destroy();
  return exit.done;
}

const LINGER_MS = 500;

/** What a library goes on trying, such as to send the last traces, does not keep a stopped gateway alive. */
export function endsForSure(command: Command): Command {
  return {
    ...command,
    async run(args) {
      const code = await command.run(args);
      setTimeout(() => process.exit(code), LINGER_MS).unref();
      return code;
    },
  };
}

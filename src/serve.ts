import { attach, openAttachment } from './cli/attach.ts';
import { exit, UsageError } from './cli/frame.ts';
import { homeDirectory, socketPath } from './cli/home.ts';
import { untilSignal } from './cli/interrupt.ts';
import { ConfigError, type Env, formatProblems, type Loaded, oneLine } from './config/load.ts';
import type { Config } from './config/schema.ts';
import { watchConfig } from './config/watch.ts';
import { AppError } from './kernel/errors.ts';
import { localOwner } from './kernel/principal.ts';
import type { Command } from './kernel/part.ts';
import { load, type Runtime, type RuntimeOptions, startRuntime } from './runtime.ts';
import { startServer } from './server/server.ts';
import { version } from './version.ts';
import { serveStream } from './wire/stream.ts';

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
    ...(typeof values.config === 'string' && { file: values.config }),
    ...(expose && { expose }),
  };
}

/** The configuration, or undefined after its problems were printed. */
async function loadOrExplain(options: RuntimeOptions): Promise<Loaded | undefined> {
  try {
    return await load(options);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    console.error(formatProblems(error));
    return undefined;
  }
}

/** The few settings that are read only at the start. */
function needRestart(before: Config, after: Config): string[] {
  return [
    ...(before.server.host !== after.server.host ? ['server.host'] : []),
    ...(before.server.port !== after.server.port ? ['server.port'] : []),
    ...(before.auth.mode !== after.auth.mode ? ['auth.mode'] : []),
    ...(before.store !== after.store ? ['store'] : []),
  ];
}

/** Keeps the configuration current: what changes in the file takes effect, and what is wrong in it is said. */
function watch(runtime: Runtime, options: RuntimeOptions, say: (line: string) => void): AsyncDisposable {
  const { file, paths } = runtime.loaded();
  return watchConfig(
    () => load(file === undefined ? options : { ...options, file }),
    paths,
    async (next: Loaded) => {
      const before = runtime.config();
      await runtime.reload(next);
      const later = needRestart(before, next.config);
      say(
        `The configuration was reloaded.${later.length > 0 ? ` For ${later.join(' and ')} restart the gateway.` : ''}`,
      );
    },
    (error: unknown) => {
      const problems = error instanceof ConfigError ? error.problems.map(oneLine) : [String(error)];
      runtime.events.record({ type: 'gateway.config_rejected', problems: problems.map(runtime.redact) });
      say(
        `The changed configuration was not taken over, the old one stays:\n${error instanceof ConfigError ? formatProblems(error) : String(error)}`,
      );
    },
  );
}

export function serveCommand(env: Env): Command {
  return {
    name: 'serve',
    summary: 'Serves the gateway over HTTP',
    usage: 'sluice serve [--config F] [--host A] [--port N] [--expose flat|compact|search]',
    example: 'sluice serve --port 3500',
    options: {
      ...shared,
      host: { type: 'string', describe: 'The address to listen on (127.0.0.1)' },
      port: { type: 'string', short: 'p', describe: 'The port to listen on (3500)' },
    },
    async run({ values }) {
      const options = runtimeOptions(values, env);
      const port = values.port === undefined ? undefined : Number(values.port);
      if (port !== undefined && !(Number.isInteger(port) && port >= 0 && port < 65_536))
        throw new UsageError(`--port is a number from 0 to 65535, not ${values.port}`);
      const loaded = await loadOrExplain(options);
      if (!loaded) return exit.failed;
      if (loaded.environment.transport === 'stdio') return serveStdio(options, loaded);
      if (loaded.environment.authToken !== undefined) {
        const why = 'MCP_AUTH_TOKEN is set, but tokens are not checked yet, and everybody would be let in. Unset it.';
        throw new AppError('unsupported', why);
      }
      const stopped = untilSignal();
      await using runtime = await startRuntime(options, loaded);
      const settings = () => {
        const { server, auth } = runtime.config();
        return { ...server, host: typeof values.host === 'string' ? values.host : server.host, auth: auth.mode };
      };
      await using server = await startServer({
        service: runtime.gateway.service,
        version,
        settings,
        port: port ?? runtime.config().server.port,
        ready: runtime.isSettled,
        status: runtime.status,
        routes: runtime.routes,
      });
      runtime.countSessions(server.sessions);
      runtime.servedAt(`${server.url}/mcp`);
      await using _attachment = await openAttachment(socketPath(options.home), runtime.gateway.service);
      await using _watch = watch(runtime, options, (line) => console.log(line));
      runtime.events.record({ type: 'gateway.started', version, url: server.url });
      console.log(banner(server.url, loaded));
      void runtime.settled.then(() => console.log(summary(runtime)));
      const reason = await stopped;
      console.log(`Stopping (${reason}).`);
      runtime.events.record({ type: 'gateway.stopped', reason });
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
  await using _watch = watch(runtime, options, (line) => console.error(line));
  runtime.events.record({ type: 'gateway.started', version });
  const served = serveStream({
    input: process.stdin,
    output: process.stdout,
    service: runtime.gateway.service,
    principal: localOwner,
    view: {},
    id: 'stdio',
  });
  const reason = await Promise.race([served.closed.then(() => 'the client has gone'), untilSignal()]);
  served.close();
  runtime.events.record({ type: 'gateway.stopped', reason });
  process.stdin.destroy();
  return exit.done;
}

function banner(url: string, { file }: Loaded): string {
  const snippet = JSON.stringify({ mcpServers: { sluice: { type: 'http', url: `${url}/mcp` } } });
  return [
    `Sluice ${version}`,
    `  MCP      ${url}/mcp`,
    `  Status   ${url}/`,
    `  Config   ${file ?? 'none; defaults (sluice init writes one)'}`,
    '',
    'Connect your client with',
    `  ${snippet}`,
    `  claude mcp add --transport http sluice ${url}/mcp`,
    '',
  ].join('\n');
}

function summary(runtime: Runtime): string {
  const { backends, tools, notConfigured } = runtime.status();
  const lines = backends.map(({ name, state, tools: count, lastError }) =>
    state === 'RUNNING'
      ? `  ${name}: ${count} tools`
      : `  ${name}: ${state}${lastError ? ` – ${lastError.message}` : ''}`,
  );
  const missing = notConfigured.map(({ name, reason }) => `  ${name}: not started – ${reason}`);
  const none = backends.length === 0 ? ['  No MCP server yet: `sluice init` imports those of your other clients.'] : [];
  return [`Ready: ${tools} tools.`, ...none, ...lines, ...missing].join('\n');
}

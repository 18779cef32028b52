import type { GatewayStatus } from '../gateway/status.ts';
import { messageOf } from '../kernel/errors.ts';
import type { Command } from '../kernel/part.ts';
import {
  type Check,
  configChecks,
  type Examined,
  exposedChecks,
  homeCheck,
  nodeCheck,
  portCheck,
  serverChecks,
} from './doctor-checks.ts';
import { n8nCheck } from './doctor-n8n.ts';
import { exit } from './frame.ts';
import { findRunning, type GatewayAccess, startOwn } from './reach.ts';
import { readGatewayStatus } from './status.ts';
import type { Style, Terminal } from './terminal.ts';

export interface DoctorDeps {
  access: GatewayAccess;
  node: string;
  examine(config: string | undefined): Promise<Examined>;
}

export function doctorCommand(deps: DoctorDeps, terminal: Terminal): Command {
  return {
    name: 'doctor',
    summary: 'Checks the configuration and every connection, and says what to do',
    usage: 'sluice doctor [--json] [--config F]',
    example: 'sluice doctor',
    options: {
      json: { type: 'boolean', describe: 'Print the checks as JSON' },
      config: { type: 'string', short: 'c', describe: 'The configuration file' },
    },
    async run({ values }) {
      const config = typeof values.config === 'string' ? values.config : undefined;
      const checks: Check[] = [];
      for await (const check of examineAll(deps, config, terminal)) {
        checks.push(check);
        if (!values.json) terminal.print(lineOf(check, terminal));
      }
      const failed = checks.filter(({ result }) => result === 'failed').length;
      if (values.json) terminal.print(JSON.stringify({ ok: failed === 0, checks }, null, 2));
      else terminal.say(failed === 0 ? 'Everything works.' : `${failed} of ${checks.length} checks failed.`);
      return failed === 0 ? exit.done : exit.failed;
    },
  };
}

async function* examineAll(deps: DoctorDeps, config: string | undefined, terminal: Terminal): AsyncGenerator<Check> {
  const { access, node } = deps;
  yield nodeCheck(node);
  const examined = await deps.examine(config);
  yield* configChecks(examined);
  const home = await homeCheck(access.home);
  yield home;
  yield* exposedChecks(examined, access.home);
  if ('n8n' in examined) for (const [name, settings] of Object.entries(examined.n8n)) yield n8nCheck(name, settings);

  await using running = await findRunning(access);
  if (running) {
    const status = await readGatewayStatus(running);
    const where = status.url === undefined ? '' : ` at ${status.url}`;
    yield {
      check: 'gateway',
      result: 'ok',
      detail: `version ${status.version} runs${where}; its servers were asked, not started again`,
    };
    return yield* serverChecks(status, examined);
  }
  if ('problems' in examined || home.result === 'failed') return;
  yield await portCheck(examined.host, examined.port);
  terminal.progress('Starting every server …');
  let status: GatewayStatus;
  try {
    await using own = await startOwn(access, config === undefined ? {} : { config });
    status = await readGatewayStatus(own);
  } catch (error) {
    return yield { check: 'gateway', result: 'failed', detail: messageOf(error) };
  }
  yield* serverChecks(status, examined);
}

const looks: Record<Check['result'], { word: string; style: Style }> = {
  ok: { word: 'ok  ', style: 'green' },
  warning: { word: 'warn', style: 'yellow' },
  failed: { word: 'FAIL', style: 'red' },
};

function lineOf({ check, result, detail, fix }: Check, { paint }: Terminal): string {
  const { word, style } = looks[result];
  return `${paint(style, word)}  ${check}: ${detail}${fix === undefined ? '' : `\n      ${fix}`}`;
}

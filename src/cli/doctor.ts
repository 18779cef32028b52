import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { messageOf } from '../kernel/errors.ts';
import type { Command } from '../kernel/command.ts';
import type { Check } from '../host/check.ts';
import { configChecks, type Examined, homeCheck, nodeCheck, portCheck } from '../host/doctor-checks.ts';
import { exit } from './frame.ts';
import type { GatewayAccess } from './reach.ts';
import type { Style, Terminal } from '../host/terminal.ts';

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
      const running = await deps.access.attachDoctor();
      const asked = running ? askRunning(running, deps, config) : checkHere(deps, config, terminal);
      for await (const check of asked) {
        checks.push(check);
        if (!values.json) terminal.print(lineOf(check, terminal));
      }
      const failed = checks.filter(({ result }) => result === 'failed').length;
      const by = running ? 'running gateway' : 'this command';
      if (values.json) terminal.print(JSON.stringify({ ok: failed === 0, by, checks }, null, 2));
      else terminal.say(summaryOf(checks, failed));
      return failed === 0 ? exit.done : exit.failed;
    },
  };
}

function summaryOf(checks: readonly Check[], failed: number): string {
  if (failed > 0) return `${failed} of ${checks.length} checks failed.`;
  const unsettled = checks.filter((check) => check.unsettled);
  if (unsettled.length === 0) return 'Everything works.';
  return `Nothing failed, but not everything is as it should be: ${unsettled.map(({ check }) => check).join(', ')}.`;
}

/** What runs knows best how it is: this shell may have another environment, and another file. */
async function* askRunning(running: Readable, { node, examine }: DoctorDeps, config?: string): AsyncGenerator<Check> {
  yield nodeCheck(node);
  if (config !== undefined) yield* configChecks(await examine(config));
  let told = 0;
  for await (const line of createInterface({ input: running })) {
    const check = checkIn(line);
    if (!check) break;
    told++;
    yield check;
  }
  running.destroy();
  if (told === 0)
    yield {
      check: 'gateway',
      result: 'failed',
      detail: 'the gateway that runs does not answer: it is of another version, or just ending',
      fix: 'Restart it, and ask again.',
    };
}

function checkIn(line: string): Check | undefined {
  try {
    const { check, error, ...rest } = JSON.parse(line) as Partial<Check> & { error?: string };
    if (error !== undefined) return { check: 'gateway', result: 'failed', detail: error };
    return check === undefined ? undefined : ({ check, ...rest } as Check);
  } catch {
    return undefined;
  }
}

/** Without one this command starts everything itself, to look at it. */
async function* checkHere(deps: DoctorDeps, config: string | undefined, terminal: Terminal): AsyncGenerator<Check> {
  const { access, node } = deps;
  yield nodeCheck(node);
  yield {
    check: 'gateway',
    result: 'ok',
    detail: `none runs for ${access.home}; checked by this command, with the environment of this shell`,
  };
  const examined = await deps.examine(config);
  const home = await homeCheck(access.home);
  if ('problems' in examined) yield* configChecks(examined);
  if ('problems' in examined || home.result === 'failed') return yield home;
  yield await portCheck(examined.host, examined.port);
  terminal.progress('Starting every server …');
  try {
    await using own = await access.start(config === undefined ? {} : { config });
    yield* own.checks(new AbortController().signal);
  } catch (error) {
    yield { check: 'gateway', result: 'failed', detail: messageOf(error) };
  }
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

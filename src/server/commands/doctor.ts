import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { exit } from '../../cli/frame.ts';
import { configOption, given, textIn } from '../../cli/values.ts';
import { attachDoctor } from '../../host/attach.ts';
import type { Check } from '../../host/check.ts';
import { ConfigError } from '../../host/config/load.ts';
import { configChecks, type Examined, homeCheck, nodeCheck, portCheck } from '../../host/doctor-checks.ts';
import { socketPath } from '../../host/home.ts';
import type { Place } from '../../host/place.ts';
import type { Style, Terminal } from '../../host/terminal.ts';
import type { Action } from '../../kernel/command.ts';
import { messageOf } from '../../kernel/errors.ts';

export function doctorCommand(place: Place): Action {
  const { terminal } = place;
  return {
    usage: '[--json] [--config F]',
    example: 'sluice doctor',
    options: {
      json: { type: 'boolean', describe: 'Print the checks as JSON' },
      config: configOption,
    },
    async run({ values }) {
      const file = textIn(values, 'config');
      const checks: Check[] = [];
      const running = await attachDoctor(socketPath(place.home));
      const asked = running ? askRunning(running, place, file) : checkHere(place, file);
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
  return `Nothing failed, but some things need attention: ${unsettled.map(({ check }) => check).join(', ')}.`;
}

/** Asks the running gateway: this shell may have another environment, and another file. */
async function* askRunning(running: Readable, place: Place, file: string | undefined): AsyncGenerator<Check> {
  yield nodeCheck(process.version);
  if (file !== undefined) yield* configChecks(await examine(place, file));
  let told = 0;
  for await (const line of createInterface({ input: Readable.from(untilItBreaks(running)) })) {
    const check = checkIn(line);
    if (!check) break;
    told++;
    yield check;
  }
  running.destroy();
  if (told > 0) return;
  const { MORE_FILES } = await import('../../host/open-files.ts');
  yield {
    check: 'gateway',
    result: 'failed',
    detail:
      'the running gateway closes the connection without an answer: it has as many files and connections open as it may, is stopping, or has another version',
    fix: `${MORE_FILES} Otherwise restart it and run \`sluice doctor\` again.`,
  };
}

async function* untilItBreaks(stream: Readable): AsyncGenerator {
  try {
    yield* stream;
  } catch {
    // What has arrived tells enough.
  }
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

/** Without a running gateway, starts everything in this process and checks that. */
async function* checkHere(place: Place, file: string | undefined): AsyncGenerator<Check> {
  yield nodeCheck(process.version);
  yield {
    check: 'gateway',
    result: 'ok',
    detail: `none runs for ${place.home}; checked by this command, with the environment of this shell`,
  };
  const examined = await examine(place, file);
  const home = await homeCheck(place.home);
  if ('problems' in examined) yield* configChecks(examined);
  if ('problems' in examined || home.result === 'failed') return yield home;
  yield await portCheck(examined.host, examined.port);
  place.terminal.progress('Starting every server …');
  try {
    await using own = await place.gateway(given('file', file));
    yield* own.checks(new AbortController().signal);
  } catch (error) {
    yield { check: 'gateway', result: 'failed', detail: messageOf(error) };
  }
}

async function examine(place: Place, wanted: string | undefined): Promise<Examined> {
  try {
    const { config, file } = await place.load(wanted);
    const { host, port } = config.server;
    return { ...given('file', file), host, port };
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    const problems = error.problems.map(({ path, line, message, fix }) => ({
      where: [line === undefined ? '' : `line ${line}`, path].filter(Boolean).join(', '),
      message,
      fix,
    }));
    return { ...given('file', error.file), problems };
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

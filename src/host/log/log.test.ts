import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import type { Fact, Level } from '../../kernel/facts.ts';

/** What a program that uses the log writes to stderr. */
async function written(program: string): Promise<Record<string, unknown>[]> {
  return (await linesOf(program)).map((line) => JSON.parse(line) as Record<string, unknown>);
}

async function linesOf(program: string, pretty = false): Promise<string[]> {
  const imports = `
    const { openLog, logged } = await import(${JSON.stringify(new URL('./log.ts', import.meta.url).href)});
    const { createRedactor } = await import(${JSON.stringify(new URL('../../kernel/redact.ts', import.meta.url).href)});
    const { callFacts } = await import(${JSON.stringify(new URL('../../kernel/call-facts.ts', import.meta.url).href)});
    const { hostFacts } = await import(${JSON.stringify(new URL('../facts.ts', import.meta.url).href)});
    const facts = { ...callFacts, ...hostFacts, 'tool.call_arguments': { level: 'never' } };
    let level = 'info';
    const log = openLog({ level: () => level, facts, pretty: ${pretty}, colour: false, redact: createRedactor(() => ['canary-1', 'canary "2"']) });`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', `${imports}\n${program}`], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const [output] = await Promise.all([text(child.stderr), once(child, 'exit')]);
  return output.split('\n').filter((line) => line !== '');
}

test('lines stay in order, however early they are written', async () => {
  const lines = await written(`
    for (const n of [1, 2, 3]) log.write('info', 'line ' + n);
    setTimeout(() => log.write('warn', 'line 4', { n: 4 }), 300);`);
  expect(lines.map(({ msg, level }) => [msg, level])).toEqual([
    ['line 1', 'info'],
    ['line 2', 'info'],
    ['line 3', 'info'],
    ['line 4', 'warn'],
  ]);
});

test('a program that ends at once still writes its lines', async () => {
  const lines = await written(
    `log.write('error', 'the end', { why: 'canary-1' }); await log[Symbol.asyncDispose](); process.exit(1);`,
  );
  expect(lines).toMatchObject([{ level: 'error', msg: 'the end', why: '[redacted]' }]);
});

test('the level can change', async () => {
  const lines = await written(`
    log.write('debug', 'not yet');
    level = 'debug';
    log.write('debug', 'now');
    level = 'error';
    log.write('warn', 'no longer');`);
  expect(lines.map(({ msg }) => msg)).toEqual(['now']);
});

test('secrets are redacted by value and by name, everywhere', async () => {
  const lines = await written(`
    log.write('info', 'message canary-1', { authorization: 'unknown', deep: { list: ['x canary "2" y'], apiKey: 'z' }, 'canary-1': 1 });`);
  expect(JSON.stringify(lines)).not.toMatch(/canary|unknown|"z"/);
  expect(lines).toMatchObject([{ msg: 'message [redacted]', deep: { list: ['x [redacted] y'] } }]);
});

const call = { tool: 'a__b', source: 'a', principal: 'local' };
const facts: Fact[] = [
  { type: 'gateway.started', version: '1' },
  { type: 'tool.call_received', ...call },
  { type: 'tool.call_arguments', ...call, arguments: '{}' },
  { type: 'tool.call_completed', ...call, ms: 1 },
  { type: 'tool.call_failed', ...call, ms: 1, reason: 'timeout' },
];

test.each<[Level, boolean, string[]]>([
  ['info', false, ['gateway.started', 'tool.call_failed']],
  ['info', true, ['tool.call_failed']],
  ['debug', false, ['gateway.started', 'tool.call_received', 'tool.call_completed', 'tool.call_failed']],
])(
  'at %s (start shown elsewhere: %s) the log has some facts, and the events have all',
  async (level, told, expected) => {
    const lines = await written(`
    level = ${JSON.stringify(level)};
    const recorded = [];
    const events = logged({ record: ({ type }) => recorded.push(type) }, log, { facts, startIsTold: () => ${told} });
    for (const fact of ${JSON.stringify(facts)}) events.record(fact);
    log.write('error', 'recorded', { recorded });`);
    expect(lines.slice(0, -1).map(({ event }) => event)).toEqual(expected);
    expect(lines.at(-1)?.recorded).toEqual(facts.map(({ type }) => type));
  },
);

test('a fact without a line is logged as its type', async () => {
  const lines = await written(`log.fact({ type: 'some.thing_new', n: 1 }, undefined);`);
  expect(lines).toMatchObject([{ level: 'info', msg: 'some.thing_new', n: 1 }]);
});

test('on a terminal foreign text can neither fake a line nor send control sequences', async () => {
  const lines = await linesOf(
    `log.write('warn', 'It failed: a\\r\\n[12:00:00] INFO: all is well\\u2028\\u001b[2Jb');
     setTimeout(() => {}, 300);`,
    true,
  );
  expect(lines).toEqual([expect.stringMatching(/WARN: It failed: a \[12:00:00\] INFO: all is well \S*b$/)]);
  expect(lines.join('')).not.toContain('\u001b');
});

test('a terminal shows the error the program ends with', async () => {
  const lines = await linesOf(
    `log.write('error', 'It ends', { error: 'Error: boom' }); setTimeout(() => {}, 300);`,
    true,
  );
  expect(lines.join('')).toContain('Error: boom');
});

test('without its library, lines are written plainly, and the next one tries again', async () => {
  const lines = await written(`
    import { registerHooks } from 'node:module';
    let isAway = true;
    registerHooks({
      resolve(name, context, next) {
        if (name === 'pino' && isAway) throw new Error('EMFILE canary-1');
        return next(name, context);
      },
    });
    const turn = () => new Promise((resolve) => setImmediate(resolve));
    const { write } = process.stderr;
    let plain = 0;
    process.stderr.write = (...given) => (plain++, write.apply(process.stderr, given));
    log.write('warn', 'first', { n: 1, token: 'x' });
    log.write('warn', 'second');
    while (plain < 3) await turn();
    log.write('warn', 'third');
    while (plain < 4) await turn();
    isAway = false;
    log.write('warn', 'fourth');`);
  expect(lines.map(({ level, msg, n, token }) => [level, msg, n, token].filter((one) => one !== undefined))).toEqual([
    ['error', 'The library of the log cannot be loaded, so lines are written without it: EMFILE [redacted]'],
    ['warn', 'first', 1, '[redacted]'],
    ['warn', 'second'],
    ['warn', 'third'],
    ['warn', 'fourth'],
  ]);
});

import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createPlace, type Place, reference, type Started } from '../support/command-line.ts';
import { olderNode } from '../support/older-node.ts';
import { noTerminal, onTerminal } from '../support/pseudo-terminal.ts';

const GREEN = '\x1b[32mRUNNING\x1b[0m';
const ENTER = '\r';
const CTRL_C = '\x03';
const CTRL_D = '\x04';

describe.skipIf(noTerminal)(`on a terminal${noTerminal ? ` (skipped: ${noTerminal})` : ''}`, () => {
  let place: Place;
  let gateway: Started & AsyncDisposable;
  beforeAll(async () => {
    place = await createPlace({ mcpServers: { ref: { ...reference, confirm: ['touch'] } } });
    gateway = await place.serve();
  });
  afterAll(async () => {
    await gateway[Symbol.asyncDispose]();
    await place[Symbol.asyncDispose]();
  });

  test('states have colours, unless NO_COLOR is set', async () => {
    const { code, stdout } = await onTerminal(place, ['status']).finished;
    expect(code).toBe(0);
    expect(stdout).toContain(GREEN);
    const plain = await onTerminal(place, ['status'], { env: { NO_COLOR: '1' } }).finished;
    expect(plain.stdout).toContain('RUNNING');
    expect(plain.stdout).not.toContain('\x1b[');
  });

  test.each([
    ['y', `y${ENTER}`, 0, 'test://x\r\n'],
    ['nothing', ENTER, 1, 'The user did not allow ref__touch'],
    ['Ctrl-D', CTRL_D, 1, 'The user did not allow ref__touch'],
    ['Ctrl-C', CTRL_C, 1, 'sluice call: Stopped. Nothing was done.'],
  ])('a confirmation is asked for; %s', async (_, keys, code, shown) => {
    const call = onTerminal(place, ['call', 'ref__touch', 'uri=test://x']);
    await call.printed('[y/N]');
    call.child.stdin.write(keys);
    expect(await call.finished).toMatchObject({ code, stdout: expect.stringContaining(shown) as string });
  });

  test("the person answers a tool's questions", async () => {
    const call = onTerminal(place, ['call', 'ref__ask', 'kind=elicitation', 'tag=who']);
    await call.printed('value');
    call.child.stdin.write(`Bob${ENTER}`);
    const { code, stdout } = await call.finished;
    expect(code).toBe(0);
    expect(stdout).toContain('who {"action":"accept","content":{"value":"Bob"}}');
  });

  test('a question of a gateway that has ended does not block', async () => {
    await using other = await createPlace({ mcpServers: { ref: reference } });
    await using short = await other.serve();
    const call = onTerminal(other, ['call', 'ref__ask', 'kind=elicitation', 'tag=who']);
    await call.printed('value');
    short.child.kill('SIGKILL');
    expect(await call.finished).toMatchObject({ code: 3 });
  });

  test('progress stays in its line, and Ctrl-C cancels', async () => {
    const call = onTerminal(place, ['call', 'ref__slow', 'ms=3000']);
    await call.printed('\r\x1b[K2/10');
    call.child.stdin.write(CTRL_C);
    expect(await call.finished).toMatchObject({ code: 1, stdout: expect.stringContaining('Cancelled.') as string });
  });

  test('init: which servers, and a key that is never shown', async () => {
    await using other = await createPlace();
    await writeFile(
      join(other.project, '.mcp.json'),
      JSON.stringify({ mcpServers: { first: { command: 'one' }, second: { command: 'two' } } }),
    );
    const init = onTerminal(other, ['init']);
    await init.printed('Import which?');
    init.child.stdin.write(`2${ENTER}`);
    await init.printed('Connect n8n?');
    init.child.stdin.write(`y${ENTER}`);
    await init.printed('Its address');
    init.child.stdin.write(ENTER);
    await init.printed('Its API key');
    init.child.stdin.write(`hunter2${ENTER}`);
    const { code, stdout } = await init.finished;
    expect(code).toBe(0);
    expect(stdout).not.toContain('hunter2');
    const written = await readFile(join(other.project, 'sluice.yaml'), 'utf8');
    expect(written).toContain('second:');
    expect(written).not.toMatch(/first:|hunter2/);
    expect(await readFile(join(other.project, '.env'), 'utf8')).toBe('N8N_API_KEY=hunter2\n');
    expect((await stat(join(other.project, '.env'))).mode & 0o777).toBe(0o600);
  });

  // The terminal signals both the launcher and the process it handed over to, and the launcher forwards the signal too.
  test.skipIf('missing' in olderNode)('one Ctrl-C, however often it arrives, ends serve in order', async () => {
    await using other = await createPlace({ mcpServers: { ref: reference } });
    const serve = onTerminal(other, ['serve', '--port', '0'], 'node' in olderNode ? olderNode : {});
    await serve.printed('Ready:');
    serve.child.stdin.write(CTRL_C);
    const { code, stdout } = await serve.finished;
    expect(stdout).toContain('Stopping (SIGINT).');
    expect(code).toBe(0);
  });
});

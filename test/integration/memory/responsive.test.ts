/** What a caller may send at most keeps nobody else waiting: others get their turn while it is worked on. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { longestStall } from '../../support/longest-stall.ts';
import { readsOf } from '../../support/reads.ts';
import { type AnyClient, callTool, connectV2, type Json, startGateway, type TestGateway } from '../harness.ts';

const MEGABYTE = 1_000_000;

/** Capitalised words, each another one. */
const names = (length: number): string => {
  let text = '';
  for (let at = 0; text.length < length; at++)
    text += `${Array.from(at.toString(36), (digit) => String.fromCodePoint(97 + (Number.parseInt(digit, 36) % 26)))
      .join('')
      .replace(/^./, (first) => first.toUpperCase())}x `;
  return text.slice(0, length);
};

let gateway: TestGateway;
let client: AnyClient & AsyncDisposable;
/** Of the same amount of plain prose: parsing the request, storing and answering take as long for every text. */
let floor: number;

async function stallOf(tool: string, args: Json): Promise<number> {
  const { result, ms } = await longestStall(() => callTool(client, tool, args, { timeout: 120_000 }));
  expect(result.isError, JSON.stringify(result.content).slice(0, 300)).not.toBe(true);
  return ms;
}

beforeAll(async () => {
  gateway = await startGateway({});
  client = await connectV2(gateway, { era: 'modern' });
  const prose = 'word '.repeat(MEGABYTE / 5);
  // The first call loads the code.
  await stallOf('memory_store', { text: prose, namespace: 'prose' });
  await stallOf('memory_import', { content: prose, name: 'prose.md', namespace: 'prose' });
  await stallOf('graph_create_entities', { entities: [{ name: 'Ada', type: 'person', observations: ['Likes tea'] }] });
  floor = await stallOf('memory_store', { text: `${prose.slice(6)}again`, namespace: 'prose' });
});
afterAll(async () => {
  await client[Symbol.asyncDispose]();
  await gateway[Symbol.asyncDispose]();
});

/** Before, each of these took seconds in one piece, some of them minutes. */
const bound = () => 500 + 5 * floor;

describe('a memory that is like others before it', () => {
  test.each<[string, string]>([
    ['5,000 capitalised words', names(20_000)],
    ['1 MB of them', names(MEGABYTE)],
    ['as many as are compared', names(4900)],
    ['1 MB of emoji', '😀'.repeat(MEGABYTE / 2)],
    ['1 MB of Chinese', '中文字'.repeat(MEGABYTE / 3)],
    ['one word of 1 MB', 'a'.repeat(MEGABYTE)],
    ['marks on one letter', `a${'\u0301\u0323'.repeat(MEGABYTE / 2 - 1)}`],
    ['many sentences', 'Ab. '.repeat(MEGABYTE / 4)],
  ])('%s', async (_, text) => {
    const namespace = `n${text.codePointAt(0)}-${text.length}`;
    let worst = 0;
    for (const end of ['a', 'b', 'c']) {
      const whole = `${text.slice(0, -4)} ${end}`;
      worst = Math.max(worst, await stallOf('memory_store', { text: whole, namespace }));
    }
    const { memories } = await readsOf(gateway).read<{ memories: { id: string }[] }>(`memories?namespace=${namespace}`);
    const near = await longestStall(async () => readsOf(gateway).read(`memories/${memories[0]?.id}/near`));
    expect(Math.max(worst, near.ms)).toBeLessThan(bound());
  });
});

describe('an import', () => {
  const version = (at: number) =>
    JSON.stringify({ type: 'memory', text: `t${at}`, id: `v${at}`, ...(at > 0 && { supersedes: `v${at - 1}` }) });

  test.each<[string, string, string]>([
    ['a heading with 200,000 spaces in it', 'heading.md', `# a${' '.repeat(200_000)}b`],
    ['1 MB of front matter', 'front.md', `---\n${'a: [1, 2]\n'.repeat(MEGABYTE / 10)}---\nText`],
    ['50,000 broken comments', 'own.md', '<!-- sluice:memory \n'.repeat(MEGABYTE / 20)],
    [
      '3,000 versions of a memory, newest first',
      'v.jsonl',
      Array.from({ length: 3000 }, (_, at) => version(2999 - at)).join('\n'),
    ],
    ['4 MB of emoji', 'emoji.md', '😀'.repeat(2 * MEGABYTE)],
  ])('of %s', async (_, name, content) => {
    expect(await stallOf('memory_import', { content, name, namespace: 'imports' })).toBeLessThan(bound());
  });

  test('of more memories than fit into a call is refused with nothing stored', async () => {
    const content = JSON.stringify(Array.from({ length: 20_001 }, () => 'a'));
    const result = await callTool(client, 'memory_import', { content, name: 'a.json', namespace: 'too-many' });
    expect(JSON.stringify(result)).toMatch(/20001 memories; the limit is 20000 a call.*sluice memory import/);
  });
});

describe('the graph', () => {
  test('takes long observations, and names with many marks', async () => {
    const entities = Array.from({ length: 20 }, (_, at) => ({
      name: `Long ${at}`,
      type: 'note',
      observations: ['😀'.repeat(24_999)],
    }));
    const marked = [{ name: `a${'\u0301\u0323'.repeat(MEGABYTE / 4)}`, type: 'note' }];
    expect(await stallOf('graph_create_entities', { entities })).toBeLessThan(bound());
    expect(await stallOf('graph_create_entities', { entities: marked })).toBeLessThan(bound());
  });

  test('takes a limited number of observations in a call', async () => {
    const observations = Array.from({ length: 1000 }, (_, at) => `Fact ${at}`);
    const entities = Array.from({ length: 6 }, (_, at) => ({ name: `Many ${at}`, type: 'note', observations }));
    const result = await callTool(client, 'graph_create_entities', { entities });
    expect(JSON.stringify(result)).toMatch(/6000 observations; the limit is 5000 a call.*several calls/);
  });
});

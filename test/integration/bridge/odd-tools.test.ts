import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { N8N_START_MS, n8nIsMissing } from '../../support/n8n.ts';
import { calculator, codeTool, openToolBench, textOf, tool, type ToolBench } from '../../support/tool-bench.ts';

const missing = process.env.N8N_TEST_URL === undefined && n8nIsMissing;
const BIG = 10_000_000;

describe.skipIf(missing)('bridged tools that behave oddly', () => {
  let bench: ToolBench;
  let web: Server;
  const stack = new AsyncDisposableStack();

  beforeAll(async () => {
    bench = stack.use(await openToolBench({ bridge: { apply: 'auto', timeouts: { '*__hangs': '2s' } } }));
    web = createServer((request, response) => {
      if (request.url === '/hang') return;
      if (request.url === '/page')
        response.setHeader('content-type', 'text/html').end('<html><body><h1>Hi</h1></body></html>');
      else response.setHeader('content-type', 'image/png').end(Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 255]));
    });
    await new Promise<void>((resolve) => web.listen(0, '127.0.0.1', resolve));
    stack.defer(() => {
      web.closeAllConnections();
      web.close();
    });
    const fetching = (name: string, path: string) =>
      tool(name, 'n8n-nodes-base.httpRequestTool', 4.2, {
        toolDescription: 'Fetches',
        url: `http://127.0.0.1:${(web.address() as AddressInfo).port}${path}`,
        options: {},
      });
    await bench.agent('odd', [
      calculator(),
      fetching('hangs', '/hang'),
      fetching('page', '/page'),
      fetching('picture', '/picture'),
      codeTool('huge', `return 'x'.repeat(${BIG})`, {}),
      codeTool('fails', 'throw new Error("no stock left")', {}),
      codeTool('item', 'return JSON.stringify({ error: "out of order" })', {}),
    ]);
    await bench.refresh();
    const names = ['Calculator', 'hangs', 'page', 'picture', 'huge', 'fails', 'item'];
    await bench.until(
      bench.slug('odd'),
      names.map((name) => `${bench.slug('odd')}__${name}`),
    );
  }, N8N_START_MS);
  afterAll(() => stack.disposeAsync(), 60_000);

  test('a tool that never answers times out, and the others keep working', async () => {
    const began = Date.now();
    const [slow, quick] = await Promise.all([
      bench.call('odd', 'hangs'),
      bench.call('odd', 'Calculator', { input: '25*42' }),
    ]);
    expect(slow.isError).toBe(true);
    expect(textOf(slow)).toMatch(/2 s|2000 ms|not answer/i);
    expect(Date.now() - began).toBeLessThan(15_000);
    expect(textOf(quick)).toContain('1050');
    expect(textOf(await bench.call('odd', 'Calculator', { input: '2*3' }))).toContain('6');
  });

  test('ten megabytes arrive complete', async () => {
    const answer = await bench.call('odd', 'huge');
    expect(textOf(answer)).toHaveLength(BIG);
  });

  test('HTML and images are ordinary answers', async () => {
    expect(textOf(await bench.call('odd', 'page'))).toContain('Hi');
    const picture = await bench.call('odd', 'picture');
    expect(picture.content.length).toBeGreaterThan(0);
  });

  test('a failing tool says why', async () => {
    const answer = await bench.call('odd', 'fails');
    expect(textOf(answer)).toContain('no stock left');
    expect(answer.isError).toBe(true);
  });

  test('an error item is passed on unchanged', async () => {
    expect(textOf(await bench.call('odd', 'item'))).toContain('out of order');
  });

  test('deleting a workflow while its tool is called gives a clear answer and leaves nothing behind', async () => {
    const source = await bench.agent('short', [
      codeTool('slow', 'await new Promise((done) => setTimeout(done, 3000)); return "done"', {}),
    ]);
    await bench.refresh();
    await bench.until(bench.slug('short'), [`${bench.slug('short')}__slow`]);
    const calling = bench.call('short', 'slow');
    await bench.n8n.client.workflows.delete(source.id);
    await bench.refresh();
    const answer = await calling.catch((error: unknown) => ({ content: [{ text: String(error) }], isError: true }));
    expect(textOf(answer)).not.toBe('');
    await bench.until(bench.slug('short'), []);
    expect((await bench.generated()).filter(({ name }) => name.includes(bench.name('short')))).toEqual([]);
  });

  test('two hundred tools of one workflow are listed and called', async () => {
    const many = Array.from({ length: 200 }, (_, index) =>
      codeTool(`tool ${index}`, `return "${index}:" + query.text`),
    );
    const source = await bench.agent('many', many);
    await bench.refresh();
    await expect.poll(() => bench.listed(bench.slug('many')), { timeout: 40_000 }).toHaveLength(200);
    for (const index of [0, 60, 199]) {
      expect(textOf(await bench.call('many', `tool_${index}`, { text: 'a' }))).toBe(`${index}:a`);
    }
    await bench.n8n.client.workflows.delete(source.id);
    await bench.refresh();
    await expect.poll(() => bench.listed(bench.slug('many'))).toEqual([]);
  }, 90_000);
});

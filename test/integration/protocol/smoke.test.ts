import { expect, it } from 'vitest';
import { callTool, connectV1, connectV2, modern, open, openSession, rpc, send, startGateway, startReference, textOf } from '../harness.ts';

it('smoke', async () => {
  await using a = await startReference('http', 'legacy');
  await using b = await startReference('stdio', 'modern');
  await using s = await startReference('sse', 'legacy');
  await using gateway = await startGateway({ mcpServers: { a: a.entry, b: b.entry, s: s.entry } });
  for (const t of ['http', 'sse', 'stdio'] as const) {
    await using c = await connectV1(gateway, { transport: t });
    for (const n of 'abs') expect(textOf(await callTool(c, `${n}__echo`, { text: t }))).toBe(t);
    await using d = await connectV2(gateway, { transport: t });
    for (const n of 'abs') expect(textOf(await callTool(d, `${n}__echo`, { text: t }))).toBe(t);
    if (t === 'sse') continue;
    await using e = await connectV2(gateway, { transport: t, era: 'modern' });
    for (const n of 'abs') expect(textOf(await callTool(e, `${n}__echo`, { text: t }))).toBe(t);
  }
  const r = await send(gateway.mcp, modern('tools/call', { name: 'a__echo', arguments: { text: 'raw' } }));
  expect(r.messages[0]).toMatchObject({ result: { content: [{ text: 'raw' }] } });
  const headers = await openSession(gateway.mcp);
  const r2 = await send(gateway.mcp, { headers, body: rpc(1, 'tools/call', { name: 'b__echo', arguments: { text: 'raw' } }) });
  expect(r2.messages[0]).toMatchObject({ result: { content: [{ text: 'raw' }] } });
  using st = await open(gateway.mcp, { headers: { ...headers, accept: 'text/event-stream' } });
  expect(st.status).toBe(200);
});

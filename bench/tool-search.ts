import { buildIndex } from '../src/gateway/ranking/ranking.ts';
import { toolDocument } from '../src/gateway/exposure/tool-documents.ts';
import { startRuntime } from '../src/runtime.ts';
import { ownWishes } from '../test/wishes/own.ts';
import { strangersWishes } from '../test/wishes/strangers.ts';
import { toolsBeside } from '../test/wishes/wishes.ts';

const TOOLS = 1000;

/** CPU time to find tools by words among a thousand, for one wish, in milliseconds. */
export async function measureToolSearch(home: string): Promise<number> {
  await using runtime = await startRuntime({ home, cwd: home, env: { N8N_URL: 'http://127.0.0.1:9' } });
  const documents = toolsBeside(runtime.apis.gateway.registry.sources()).map(toolDocument);
  const foreign = documents.filter(({ source }) => source !== undefined);
  for (let at = 0; documents.length < TOOLS; at++) {
    const { id, ...like } = foreign[at % foreign.length] as (typeof foreign)[number];
    documents.push({ ...like, id: `s${at}__${id}`, source: `s${at % 40}` });
  }
  const index = buildIndex(documents);
  const wishes = [ownWishes, strangersWishes].flatMap((list) => Object.values(list).flat());
  const ask = () => {
    for (const wish of wishes) index.search(wish, 10);
  };
  ask();
  const before = process.cpuUsage();
  ask();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000 / wishes.length;
}

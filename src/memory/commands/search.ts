import { exit } from '../../cli/frame.ts';
import type { Terminal } from '../../host/terminal.ts';
import { counted } from '../../kernel/some-of.ts';
import type { Json } from '../../kernel/source.ts';
import type { OutputOf } from '../../kernel/tool.ts';
import type { memorySearch } from '../tools/memory-search.ts';
import type { Call } from './call.ts';

export async function searchMemories(call: Call, args: Json, json: boolean, terminal: Terminal): Promise<number> {
  const { results, more, note } = await call<OutputOf<typeof memorySearch>>('memory_search', args);
  if (json) terminal.print(JSON.stringify(results, null, 2));
  else
    for (const { id, namespace, recorded_at, tags = [], score, text, truncated } of results) {
      const about = [recorded_at.slice(0, 10), namespace, ...tags.map((tag) => `#${tag}`), id];
      terminal.print(`${terminal.paint('bold', score.toFixed(3))}  ${terminal.paint('dim', about.join('  '))}`);
      terminal.print(`${text.trim().replaceAll(/^/gm, '    ')}${truncated === true ? ' …' : ''}`);
    }
  if (results.length === 0) terminal.say('Nothing was found.');
  if (more !== undefined) terminal.say(`${counted(more, 'result')} more did not fit: ask for something narrower.`);
  if (note !== undefined) terminal.say(note);
  return exit.done;
}

import { AppError } from '../kernel/errors.ts';
import type { OwnPrompt } from '../kernel/source.ts';
import type { MemoryDeps } from './tool.ts';

const MOST = 20;
/** As of memory_search. */
const LONGEST = 2000;

/** "What do you know about X": what memory holds, as a message that a person can put into a conversation. */
export const recallPrompt = ({ open }: MemoryDeps): OwnPrompt => ({
  name: 'memory_recall',
  title: 'What do you know about …?',
  description: 'Puts what memory knows about a subject into the conversation.',
  scope: 'memory:read',
  arguments: [
    { name: 'about', description: 'The subject: a question, a name, a few words', required: true },
    { name: 'namespace', description: 'Only this namespace' },
  ],
  async get({ about = '', namespace }, context) {
    if (about.length > LONGEST)
      throw new AppError(
        'invalid_input',
        `about has ${about.length} characters; the limit is ${LONGEST}. Ask with a few words.`,
      );
    const [{ memory }, { shownMemory }] = await Promise.all([open(), import('./tool.ts')]);
    const { found } = await memory.search(about, { namespace }, MOST, context);
    const lines = found.map(({ memory: one, passage }) => {
      const { id, recorded_at, valid_to, namespace: where } = shownMemory(one);
      const until = valid_to === undefined ? '' : `, until ${valid_to}`;
      const rest = passage.length < one.text.length ? ' (part of a longer memory: memory_get)' : '';
      return `- ${passage.trim()}${rest}\n  [${id}, ${where}, recorded ${recorded_at}${until}]`;
    });
    const text =
      lines.length === 0
        ? `What do you know about "${about}"? Memory holds nothing about it.`
        : `What do you know about "${about}"? This is what memory holds, the most relevant first. Some of it may not be about it.\n\n${lines.join('\n')}`;
    return { description: `Memory about ${about}`, messages: [{ role: 'user', content: { type: 'text', text } }] };
  },
  async complete(argument, value, { principal }) {
    if (argument !== 'namespace') return [];
    const { namespaces } = await open();
    return (await namespaces.list(principal)).map(({ name }) => name).filter((name) => name.startsWith(value));
  },
});

import type { Effect } from '../../kernel/effect.ts';
import { isObject } from '../../wire/jsonrpc.ts';
import type { RankedDocument } from '../ranking/ranking.ts';
import type { Registered } from '../registry.ts';

/** The first sentences of a description are compared as a whole; the rest counts as details. */
const SENTENCES = 2;
const LONGEST_PHRASE = 200;

/** What a search compares with a wish: the tool's names, its description, and phrases of people who want it. */
export function toolDocument({ name, source, origin, entry, wire }: Registered): RankedDocument {
  const { title = '', description = '', inputSchema } = wire;
  const former = [...(entry.aliases?.keys() ?? [])];
  const said = [wordsIn(entry.tool), title, ...former.map(wordsIn)].map((text) => text.slice(0, LONGEST_PHRASE));
  const phrases = [...said, ...sentencesOf(description), ...(entry.phrases ?? [])];
  return {
    id: name,
    aliases: [entry.tool, `${source}:${entry.tool}`, ...former],
    fields: [
      { text: name, weight: 4 },
      { text: title, weight: 3 },
      { text: former.join(' '), weight: 2 },
      { text: description, weight: 1 },
      { text: Object.keys(isObject(inputSchema.properties) ? inputSchema.properties : {}).join(' '), weight: 0.5 },
    ],
    phrases: [...new Set(phrases.filter((phrase) => phrase !== ''))],
    // People name a server to say where to look. Our own tools have no such place.
    ...(origin.prefix !== '' && { source }),
    effect: effectOf(entry.effect, entry.tool),
  };
}

const reading = /^(?:\w+ )?(?:list|get|read|search|find|fetch|query|describe|show|view|retrieve|count|lookup|check)\b/;

/** Many servers do not say what their tools change: guess from the name. */
function effectOf(effect: Effect, tool: string): Effect {
  return effect === 'execute' && reading.test(wordsIn(tool)) ? 'read' : effect;
}

const wordsIn = (name: string): string =>
  name
    .replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
    .toLowerCase();

const sentencesOf = (text: string): string[] =>
  text
    .slice(0, 2 * SENTENCES * LONGEST_PHRASE)
    .split(/(?<=[.:;!?])\s+|\n+/)
    .map((sentence) => sentence.trim().slice(0, LONGEST_PHRASE))
    .filter((sentence) => sentence !== '')
    .slice(0, SENTENCES);

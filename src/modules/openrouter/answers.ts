import type { Principal } from '../../kernel/principal.ts';
import type { OpenRouter } from './connection.ts';
import { keptAnswers } from './kept-answers.ts';

/** Of all sources: a connection is closed after two minutes, but its answers can be read for longer. */
export const answers = keptAnswers();

export const ownerOf = ({ name, at }: OpenRouter, { id }: Principal): string => JSON.stringify([name, at, id]);

import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { AppError } from '../../../kernel/errors.ts';
import { shortened } from '../../shown.ts';
import { answers, ownerOf } from '../answers.ts';
import type { OpenRouter } from '../connection.ts';
import type { Message } from '../most-tokens.ts';
import { paidChat, type Paid } from '../paid-chat.ts';
import { partOf } from '../part-of.ts';
import { rounded } from '../price.ts';
import { requestFor } from '../request.ts';
import { budgetOutput, modelInput, openrouterTool } from '../tool.ts';

const text = z.string().min(1).max(1_000_000);

const input = z.strictObject({
  model: modelInput.optional().describe('Id of a model; default: that of the configuration'),
  prompt: text.optional().describe('The question; or messages'),
  messages: z
    .array(z.strictObject({ role: z.enum(['system', 'user', 'assistant']), content: text }))
    .min(1)
    .max(200)
    .optional()
    .describe('A conversation so far'),
  system: text.optional().describe('Instructions for the model'),
  max_tokens: z.int().min(16).optional().describe('Longest answer; it also limits what the chat can cost'),
  temperature: z.number().min(0).max(2).optional().describe('How varied answers are'),
  reasoning: z.enum(['none', 'minimal', 'low', 'medium', 'high']).optional().describe('How long it thinks first'),
  json_schema: z.record(z.string(), z.unknown()).optional().describe('JSON Schema that the answer has to match'),
});

export const chat = openrouterTool({
  name: 'openrouter_chat',
  title: 'Ask a model',
  description:
    'Asks another model, and returns its answer with what it cost. The most that it can cost is set aside first: without enough budget nothing is sent.',
  phrases:
    'ask another model; ask gpt or gemini or llama; get a second opinion; send a prompt to a model; chat completion; let a cheaper model summarize this',
  effect: 'execute',
  inReadOnly: true,
  input,
  output: z.object({
    id: z.string().describe('For openrouter_get_answer and openrouter_get_generation'),
    model: z.string(),
    provider: z.string().optional(),
    text: z.string(),
    next_offset: z.int().optional().describe('There is more: openrouter_get_answer'),
    finish_reason: z.string(),
    warning: z.string().optional(),
    tokens: z.object({ input: z.number(), output: z.number(), reasoning: z.number().optional() }).optional(),
    cost: z.number().describe('US dollars'),
    cost_source: z.enum(['reported', 'computed', 'at most']),
    budget: budgetOutput.optional(),
  }),
  async run(given, openrouter, { signal, principal }, progress) {
    // It ends a little before the call does, so that what has arrived can be returned.
    const deadline = AbortSignal.timeout(Math.ceil(openrouter.timeoutMs - Math.min(2000, openrouter.timeoutMs / 10)));
    const messages = messagesIn(given);
    const wanted = modelOf(given.model, openrouter);
    const limit = limitOf(given.max_tokens, openrouter);
    let steps = 0;
    const step = (message: string) => progress(++steps, undefined, message);
    const model = await openrouter.find(wanted, signal, (_progress, _total, message = '') => step(message));
    const request = requestFor(model, {
      messages,
      maxTokens: Math.min(limit, longest(model.top_provider.max_completion_tokens)),
      temperature: given.temperature,
      schema: given.json_schema,
      reasoning: given.reasoning,
    });
    const paid = await openrouter.places.run(() => paidChat(openrouter, request, { signal, deadline, step }), signal);
    const id = shortened(paid.completion.id ?? `answer-${randomUUID()}`, 100);
    const part = partOf(paid.completion.text);
    if (part.next_offset !== undefined) answers.keep(ownerOf(openrouter, principal), id, paid.completion.text);
    const budget = await openrouter.budget.state().catch(() => undefined);
    return { id, ...shownPaid(paid, wanted), ...part, ...(budget && { budget }) };
  },
});

function messagesIn({ prompt, messages, system }: z.output<typeof input>): readonly Message[] {
  if ((prompt === undefined) === (messages === undefined))
    throw new AppError('invalid_input', 'Give either prompt (a question) or messages (a conversation).');
  return [
    ...(system === undefined ? [] : [{ role: 'system', content: system } as const]),
    ...(messages ?? [{ role: 'user', content: prompt ?? '' } as const]),
  ];
}

function modelOf(given: string | undefined, { model, setting }: OpenRouter): string {
  const chosen = given ?? model;
  if (chosen !== undefined) return chosen;
  throw new AppError(
    'invalid_input',
    `Name a model: openrouter_list_models shows the ids. Or set ${setting}.model in sluice.yaml to the one for every chat.`,
  );
}

function limitOf(given: number | undefined, { maxTokens, setting }: OpenRouter): number {
  if (given === undefined || given <= maxTokens) return given ?? maxTokens;
  throw new AppError(
    'invalid_input',
    `max_tokens: ${given} is more than ${setting}.maxTokens allows (${maxTokens}). Ask for less, or raise it in sluice.yaml.`,
  );
}

/** A model that says nothing, or nonsense, is not limited by it. */
const longest = (most: number | undefined): number => (most !== undefined && most >= 1 ? Math.floor(most) : Infinity);

function shownPaid({ completion, cost, warning }: Paid, asked: string) {
  const { model, provider, finish, usage, text: written } = completion;
  const reasoning = usage?.completion_tokens_details?.reasoning_tokens;
  const empty =
    written === ''
      ? 'The answer is empty. The tokens may have gone into reasoning: raise max_tokens, or set reasoning to low.'
      : undefined;
  const said = warning ?? empty;
  return {
    model: shortened(model ?? asked, 150),
    ...(provider !== undefined && { provider: shortened(provider, 60) }),
    finish_reason: shortened(finish ?? (warning === undefined ? 'unknown' : 'error'), 30),
    ...(said !== undefined && { warning: shortened(said, 300) }),
    ...(usage && {
      tokens: {
        input: usage.prompt_tokens ?? 0,
        output: usage.completion_tokens ?? 0,
        ...(reasoning !== undefined && reasoning > 0 && { reasoning }),
      },
    }),
    cost: rounded(cost.dollars),
    cost_source: cost.source,
  };
}

import { expect, test } from 'vitest';
import { answered } from './answered.ts';
import { recentAnswers } from './kept.ts';

const inReply = (data: unknown) => {
  const json = JSON.stringify(data);
  return Buffer.byteLength(json) + Buffer.byteLength(JSON.stringify(json));
};

test('a short answer is whole, and not kept', () => {
  const answers = recentAnswers();
  expect(answered({ answer: 'Hi', message_id: 'm', tools: [], files: [] }, answers)).toEqual({
    answer: 'Hi',
    message_id: 'm',
  });
  expect(answers.find('m')).toBeUndefined();
});

test('a long answer with everything fits into a reply, and is kept', () => {
  const answers = recentAnswers();
  const answer = '"漢"\n'.repeat(5000);
  const shown = answered(
    {
      answer,
      message_id: 'm',
      conversation_id: 'c',
      tools: Array<string>(20).fill('t'.repeat(100)),
      files: Array<string>(20).fill(`https://example.com/${'f'.repeat(480)}`),
      metadata: {
        usage: { total_tokens: 5, total_price: '1', currency: 'USD', latency: 2 },
        retriever_resources: Array.from({ length: 20 }, (_, n) => ({
          document_name: `${n} ${'d'.repeat(300)}`,
          dataset_name: 'x',
          score: 1,
        })),
      },
      waitsFor: 'w'.repeat(1000),
    },
    answers,
  );
  expect(inReply(shown)).toBeLessThan(8000);
  expect(shown.next_offset).toBe(shown.answer.length);
  expect(answers.find('m')).toBe(answer);
});

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Node } from '../../../src/n8n/client/shapes.ts';
import { specFor } from '../../../src/nodes/curated/registry.ts';
import type { Fragment } from '../../../src/nodes/fragments/fragment.ts';
import { catalogueIsMissing, testCatalogue } from '../../support/catalogue.ts';
import { N8N_START_MS, n8nIsMissing } from '../../support/n8n.ts';
import { type Asking, openAsking, person, until } from './asking.ts';

const missing = catalogueIsMissing ?? (process.env.N8N_TEST_URL === undefined ? n8nIsMissing : undefined);

const fragmentOf = (subtype: string) => specFor('HUMAN_IN_THE_LOOP', subtype)?.fragment(testCatalogue()) as Fragment;

describe.skipIf(missing)('asking a person', () => {
  let asking: Asking;
  beforeAll(async () => {
    asking = await openAsking();
  }, N8N_START_MS);
  afterAll(() => asking[Symbol.asyncDispose]());

  describe('by Telegram', () => {
    let ask: (item: object) => Promise<string>;
    beforeAll(async () => {
      ask = await asking.start('text', fragmentOf('TELEGRAM_INTERACTION'), asking.credited);
    });

    test.each([
      ['yes', 0, 'confirmed'],
      ['Go ahead!', 0, 'confirmed'],
      ['No.', 1, 'rejected'],
      ['declined', 1, 'rejected'],
      ['ok, but wait for Ada', 2, 'unrelated'],
      ['What does it cost?', 2, 'unrelated'],
    ])('"%s" goes to output %i, %s', async (text, output, verdict) => {
      const chat = `${output}${text.length}`;
      const run = await asking.waiting(await ask({ chat_id: chat, order: 7 }));
      const message = await until(() => asking.messages.find((one) => one.chat === chat));
      expect(message.text).toContain('May this go ahead?');
      const body = new FormData();
      body.set('field-0', text);
      const posted = await fetch(message.url, { method: 'POST', body, headers: person });
      expect(posted.status).toBe(200);
      expect(await asking.branches(run)).toEqual({
        [output]: [
          {
            chat_id: chat,
            order: 7,
            question: 'May this go ahead? Please answer yes or no.',
            verdict,
            answer: text,
            responded_at: expect.stringMatching(/^\d{4}-/) as string,
          },
        ],
      });
    });

    test.each([
      ['confirmed', 'true', 0],
      ['rejected', 'false', 1],
    ])('a button leads to %s', async (verdict, approved, output) => {
      const buttons = (node: Node): Node => ({
        ...asking.credited(node),
        ...(node.type === 'n8n-nodes-base.telegram' && {
          parameters: {
            ...node.parameters,
            responseType: 'approval',
            approvalOptions: { values: { approvalType: 'double' } },
          },
        }),
      });
      const chat = `button-${approved}`;
      const press = await asking.start(chat, fragmentOf('TELEGRAM_INTERACTION'), buttons);
      const run = await asking.waiting(await press({ chat_id: chat }));
      const { url } = await until(() =>
        asking.messages.find((one) => one.chat === chat && one.url.includes(`approved=${approved}`)),
      );
      await fetch(url, { headers: person });
      expect(await asking.branches(run)).toEqual({ [output]: [expect.objectContaining({ verdict, answer: '' })] });
    });
  });

  describe("by n8n's own form", () => {
    let ask: (item: object) => Promise<string>;
    beforeAll(async () => {
      ask = await asking.start('form', fragmentOf('MANUAL_REVIEW'));
    });

    test.each([
      ['Approve', 0, 'confirmed'],
      ['Reject', 1, 'rejected'],
      ['Something else', 2, 'unrelated'],
    ])('%s goes to output %i, %s', async (decision, output, verdict) => {
      const run = await asking.waiting(await ask({ order: 8 }));
      const [[asked] = []] = await asking.given(run, 'Question');
      const url = asked?.review_url as string;
      expect(await (await fetch(url, { headers: person })).text()).toContain('Please review this and decide.');
      const body = new FormData();
      body.set('field-0', decision);
      body.set('field-1', 'Seen it.');
      await fetch(url, { method: 'POST', body, headers: person });
      expect(await asking.branches(run)).toEqual({
        [output]: [expect.objectContaining({ order: 8, verdict, answer: 'Seen it.' })],
      });
    });
  });

  // n8n checks for timeouts only once a minute, so test/long tests the wait itself.
  test.each(['TELEGRAM_INTERACTION', 'MANUAL_REVIEW'])(
    '%s: an item without an answer goes to output 3, timeout',
    async (subtype) => {
      const { nodes, connections } = fragmentOf(subtype);
      const ask = await asking.start(`unanswered-${subtype}`, {
        nodes: nodes.filter((_, at) => at !== 1),
        connections: {
          Question: { main: [[{ node: 'Verdict', type: 'main', index: 0 }]] },
          Verdict: connections.Verdict ?? {},
        },
      });
      // An earlier answer in the item must not count as the answer to this question.
      const earlier = {
        data: { approved: true, respondedAt: '2026-01-01T00:00:00Z' },
        Decision: 'Approve',
        formMode: 'x',
      };
      const run = await asking.ended(await ask(earlier));
      expect(await asking.branches(run)).toEqual({
        3: [expect.objectContaining({ verdict: 'timeout', answer: '', responded_at: null })],
      });
    },
  );
});

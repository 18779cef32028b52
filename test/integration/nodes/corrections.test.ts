import { describe, expect, test } from 'vitest';
import { findNode, findTyped, type Lookup } from '../../../src/nodes/lookup/corrections.ts';
import { catalogueIsMissing, testCatalogue } from '../../support/catalogue.ts';

describe.skipIf(catalogueIsMissing)('node names', () => {
  const catalogue = catalogueIsMissing === undefined ? testCatalogue() : (undefined as never);

  const nameIn = (lookup: Lookup) => ('found' in lookup ? lookup.found.node.name : undefined);
  const keyIn = (lookup: Lookup) => ('found' in lookup ? `${lookup.found.type}.${lookup.found.subtype}` : undefined);
  const warningIn = (lookup: Lookup) => ('found' in lookup ? lookup.warning : undefined);

  test.each([
    ['n8n-nodes-base.httpRequest', 'n8n-nodes-base.httpRequest'],
    ['@n8n/n8n-nodes-langchain.agent', '@n8n/n8n-nodes-langchain.agent'],
    ['ACTION.HTTP_REQUEST', 'n8n-nodes-base.httpRequest'],
    ['AI_AGENT.OPENAI_CHATGPT', '@n8n/n8n-nodes-langchain.agent'],
  ])('%s is correct', (text, name) => {
    const lookup = findNode(catalogue, text);
    expect(nameIn(lookup)).toBe(name);
    expect(warningIn(lookup)).toBeUndefined();
  });

  test.each([
    ['httpRequest', 'n8n-nodes-base.httpRequest'],
    ['HTTP Request', 'n8n-nodes-base.httpRequest'],
    ['Google Sheets', 'n8n-nodes-base.googleSheets'],
    ['slack', 'n8n-nodes-base.slack'],
    ['agent', '@n8n/n8n-nodes-langchain.agent'],
  ])('%s is a short name or a title, and needs no correction', (text, name) => {
    const lookup = findNode(catalogue, text);
    expect(nameIn(lookup)).toBe(name);
    expect(warningIn(lookup)).toBeUndefined();
  });

  test.each([
    ['http-request', 'n8n-nodes-base.httpRequest'],
    [' n8n-nodes-base.httprequest ', 'n8n-nodes-base.httpRequest'],
    ['nodes-base.httpRequest', 'n8n-nodes-base.httpRequest'],
    ['n8n-nodes-base.googleShets', 'n8n-nodes-base.googleSheets'],
    ['gmail trigger', 'n8n-nodes-base.gmailTrigger'],
    ['Slack_NODE', 'n8n-nodes-base.slack'],
    ['action_node.http_request', 'n8n-nodes-base.httpRequest'],
  ])('%s is corrected, with a warning', (text, name) => {
    const lookup = findNode(catalogue, text);
    expect(nameIn(lookup)).toBe(name);
    expect(warningIn(lookup)).toMatch(/^Auto-corrected: '.+' → '.+'\./);
  });

  test.each([
    ['ACTION_NODE', 'HTTP_REQUEST', 'ACTION.HTTP_REQUEST'],
    ['action', 'http-request', 'ACTION.HTTP_REQUEST'],
    ['External Action', 'Slack', 'EXTERNAL_ACTION.SLACK'],
    ['ACTION', 'httpRequest', 'ACTION.HTTP_REQUEST'],
    ['ACTION', 'HTTP_REQEST', 'ACTION.HTTP_REQUEST'],
    ['ACTION', 'SLACK', 'EXTERNAL_ACTION.SLACK'],
    ['WHATEVER', 'SLACK', 'EXTERNAL_ACTION.SLACK'],
    ['TRIGGER', 'WEBHOOKS', 'TRIGGER.WEBHOOK'],
    ['TRIGGER_NODE', 'SLACK_NODE', 'TRIGGER.SLACK'],
    ['EXTERNAL_ACTION', 'n8n-nodes-base.gmail', 'EXTERNAL_ACTION.GMAIL'],
    ['n8n-nodes-base.gmail', 'gmail', 'EXTERNAL_ACTION.GMAIL'],
    ['HUMAN_IN_THE_LOOP', 'MANUAL', 'HUMAN_IN_THE_LOOP.MANUAL_REVIEW'],
    ['EXTERNAL_ACTION', 'TELEGRAM', 'EXTERNAL_ACTION.TELEGRAM_ACTION'],
  ])('%s with %s finds %s', (type, subtype, key) => {
    const lookup = findTyped(catalogue, type, subtype);
    expect(keyIn(lookup)).toBe(key);
    expect(warningIn(lookup)).toMatch(/^Auto-corrected: '.+' → '.+'\./);
  });

  test('the warning for the suffix has the exact words that older clients expect', () => {
    expect(warningIn(findTyped(catalogue, 'ACTION_NODE', 'HTTP_REQUEST'))).toBe(
      "Auto-corrected: 'ACTION_NODE' → 'ACTION'. Please use correct format without '_NODE' suffix.",
    );
  });

  test('the warning names the other types that have the subtype', () => {
    expect(warningIn(findTyped(catalogue, 'FLOW', 'SLACK'))).toMatch(/not to FLOW\. There is also TRIGGER\.SLACK/);
  });

  test('a name too far from any other gets suggestions instead of a correction', () => {
    expect(findTyped(catalogue, 'EXTERNAL_ACTION', 'SHEETS')).toMatchObject({
      error: expect.stringContaining(
        "There is no node 'EXTERNAL_ACTION.SHEETS'. Did you mean EXTERNAL_ACTION.",
      ) as string,
      suggestions: expect.arrayContaining(['EXTERNAL_ACTION.GOOGLE_SHEETS']) as unknown,
    });
  });

  test.each([
    ['http', 'ACTION.HTTP_REQUEST'],
    ['chatgpt', 'AI_AGENT.OPENAI_CHATGPT'],
    ['sheets', 'n8n-nodes-base.googleSheets'],
  ])('%s is part of a name, which is suggested', (text, name) => {
    expect(findNode(catalogue, text)).toMatchObject({ suggestions: expect.arrayContaining([name]) as unknown });
  });

  test.each([
    '__proto__',
    'constructor',
    'toString',
    'hasOwnProperty',
    '',
    ' ',
    '…',
    '.',
    'x'.repeat(100_000),
    '\u0000',
  ])('%j finds no node and does not throw', (text) => {
    for (const lookup of [
      findNode(catalogue, text),
      findTyped(catalogue, text, text),
      findTyped(catalogue, 'ACTION', text),
    ]) {
      expect(lookup).toMatchObject({ error: expect.stringContaining('search_nodes') as string });
      expect(JSON.stringify(lookup).length).toBeLessThan(1500);
    }
  });

  test('every node is found by its name in n8n and by its type and subtype', () => {
    for (const { name, type, subtype } of catalogue.nodes()) {
      expect(nameIn(findNode(catalogue, name))).toBe(name);
      expect(nameIn(findTyped(catalogue, type, subtype))).toBe(name);
    }
  });
});

import { describe, expect, it } from 'vitest';
import { AppError } from '../../../src/kernel/errors.ts';
import { visibleProperties } from '../../../src/nodes/configuration/configuration.ts';
import type { NodeDescription } from '../../../src/nodes/description.ts';
import { nodeDetails, plain } from '../../../src/nodes/details/details.ts';
import { fragmentFor } from '../../../src/nodes/fragments/fragment-for.ts';
import { inputsOf } from '../../../src/nodes/configuration/ports.ts';
import { validateWorkflow } from '../../../src/validation/validate.ts';
import { catalogueIsMissing, testCatalogue } from '../../support/catalogue.ts';

const AI = '@n8n/n8n-nodes-langchain';
const isMain = ({ type }: { type: string }) => type === 'main';

describe.skipIf(catalogueIsMissing)('fragmentFor', () => {
  const catalogue = testCatalogue();

  it('sets all required parameters, for every node in every version', { timeout: 30_000 }, () => {
    const wrong: string[] = [];
    for (const { name, versions } of catalogue.nodes()) {
      for (const version of versions) {
        const description = catalogue.description(name, version) as NodeDescription;
        const [first, ...others] = fragmentFor(catalogue, name, {}, version).nodes;
        const shown = visibleProperties(description, first?.parameters ?? {}, version);
        const asked = shown.filter(
          ({ required, type }) => required === true && !['hidden', 'credentials'].includes(type),
        );
        const absent = asked.filter((property) => !Object.hasOwn(first?.parameters ?? {}, property.name));
        if (first?.typeVersion !== version || absent.length > 0 || others.some(({ type }) => !catalogue.node(type))) {
          wrong.push(`${name} ${version}: ${absent.map((property) => property.name).join()}`);
        }
      }
    }
    expect(wrong).toEqual([]);
  });

  it('leaves no required parameter empty for a node with an input', { timeout: 30_000 }, () => {
    const wrong: string[] = [];
    for (const { name, latest, hidden, toolOf } of catalogue.nodes()) {
      const description = catalogue.description(name, latest) as NodeDescription;
      if (hidden || toolOf !== undefined || !(inputsOf(description, {}, latest) ?? []).some(isMain)) continue;
      // Its default is an empty option, which n8n accepts.
      if (name === 'n8n-nodes-base.facebookGraphApi') continue;
      const [spec] = nodeDetails(catalogue, { ...plain, nodes: [{ node: name }] }).nodes;
      const { nodes = [], connections = {} } = spec?.n8n?.fragment ?? {};
      const { findings } = validateWorkflow({ name: 'x', nodes, connections, settings: {} }, catalogue);
      const empty = findings.filter(({ rule }) => rule === 'required-parameter' || rule === 'unfilled-node');
      wrong.push(...empty.map(({ message }) => `${name}: ${message}`));
    }
    expect(wrong).toEqual([]);
  });

  it('sets nothing that n8n ignores, and gives every trigger the path it needs', { timeout: 30_000 }, () => {
    const wrong: string[] = [];
    for (const { name, latest, hidden, toolOf } of catalogue.nodes()) {
      if (hidden || toolOf !== undefined) continue;
      const { nodes, connections } = fragmentFor(catalogue, name, {}, latest);
      const { findings } = validateWorkflow({ name: 'x', nodes, connections, settings: {} }, catalogue);
      const found = findings.filter(
        ({ rule, path }) => rule === 'ignored-parameter' || (rule === 'required-parameter' && path?.endsWith('/path')),
      );
      wrong.push(...found.map(({ message }) => `${name}: ${message}`));
    }
    expect(wrong).toEqual([]);
  });

  it('lets the model fill in what a tool requires', () => {
    const { nodes } = fragmentFor(catalogue, 'n8n-nodes-base.gmailTool', { resource: 'message', operation: 'get' });
    expect(nodes[0]?.parameters).toMatchObject({ messageId: "={{ $fromAI('messageId', 'Message ID', 'string') }}" });
  });

  it('keeps the requested resource and operation, and sets what they need', () => {
    const { nodes } = fragmentFor(catalogue, 'n8n-nodes-base.github', { resource: 'release', operation: 'get' });
    expect(nodes[0]?.parameters).toEqual({
      resource: 'release',
      operation: 'get',
      owner: { __rl: true, mode: 'name', value: '={{ $json.owner }}' },
      repository: { __rl: true, mode: 'name', value: '={{ $json.repository }}' },
      release_id: '={{ $json.release_id }}',
    });
  });

  it('takes the first option of a choice without a default, so that dependent parameters appear', () => {
    const { nodes } = fragmentFor(catalogue, 'n8n-nodes-base.slack');
    expect(nodes[0]?.parameters).toMatchObject({
      select: 'channel',
      channelId: { __rl: true },
      text: '={{ $json.text }}',
    });
  });

  it.each([
    [`${AI}.agent`, ['ai_languageModel']],
    [`${AI}.chainRetrievalQa`, ['ai_embedding', 'ai_languageModel', 'ai_retriever', 'ai_vectorStore']],
    [`${AI}.vectorStoreQdrant`, ['ai_embedding']],
    [`${AI}.outputParserAutofixing`, ['ai_languageModel', 'ai_outputParser']],
    ['n8n-nodes-base.slackHitlTool', ['ai_tool']],
    [`${AI}.toolCalculator`, []],
    ['n8n-nodes-base.slack', []],
  ])('attaches to %s what it needs: %j', (name, kinds) => {
    const { nodes, connections } = fragmentFor(catalogue, name);
    expect(
      Object.values(connections)
        .flatMap((byType) => Object.keys(byType))
        .sort(),
    ).toEqual(kinds);
    expect(nodes).toHaveLength(kinds.length + 1);
  });

  it('gives a webhook a unique path', () => {
    const [one, other] = [1, 2].map(() => fragmentFor(catalogue, 'n8n-nodes-base.webhook').nodes[0]);
    expect(one?.parameters.path).toBe(one?.webhookId);
    expect(one?.parameters.path).not.toBe(other?.parameters.path);
  });

  it('gives a form a title and a field, so that it can be published and filled in', () => {
    const { nodes, connections } = fragmentFor(catalogue, 'n8n-nodes-base.formTrigger');
    expect(nodes[0]?.parameters).toMatchObject({
      formTitle: expect.stringMatching(/./) as string,
      formFields: { values: [expect.anything()] },
    });
    const { findings } = validateWorkflow({ name: 'x', nodes, connections, settings: {} }, catalogue, {
      purpose: 'publish',
    });
    expect(findings.filter(({ severity }) => severity !== 'info')).toEqual([]);
  });

  it.each(['n8n-nodes-base.nope', '__proto__', ''])('refuses %j with advice', (name) => {
    expect(() => fragmentFor(catalogue, name)).toThrow(AppError);
  });
});

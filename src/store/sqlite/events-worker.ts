import { workerData } from 'node:worker_threads';
import { answerWith } from './answering.ts';
import { connect } from './connection.ts';
import { eventScans } from './event-scans.ts';

const { file } = workerData as { file: string };

answerWith(file, eventScans(await connect(file)));

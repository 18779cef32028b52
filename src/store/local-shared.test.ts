import { localShared } from './local-shared.ts';
import { sharedContract } from './shared.contract.ts';

sharedContract('in one process', async () => localShared());

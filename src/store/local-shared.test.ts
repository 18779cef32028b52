import { newLocalShared } from '../../test/support/local-shared.ts';
import { sharedContract } from './shared.contract.ts';

sharedContract('in one process', async () => newLocalShared());

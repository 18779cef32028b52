import { bridgeApply } from './bridge-apply.ts';
import { bridgeCleanup } from './bridge-cleanup.ts';
import { bridgePlan } from './bridge-plan.ts';
import { bridgeStatus } from './bridge-status.ts';

export const bridgeTools = [bridgeStatus, bridgePlan, bridgeApply, bridgeCleanup];

import { compareInstances } from './compare-instances.ts';
import { listPromotions } from './list-promotions.ts';
import { promote } from './promote.ts';
import { undoPromotion } from './undo-promotion.ts';

export const promotionTools = [promote, undoPromotion, listPromotions, compareInstances];

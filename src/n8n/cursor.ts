export { cursorFor, type Place, placeIn } from '../kernel/cursor.ts';

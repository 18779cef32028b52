export { readObject } from '../../wire/json-body.ts';

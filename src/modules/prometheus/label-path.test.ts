import { expect, test } from 'vitest';
import { labelPath } from './label-path.ts';

test.each([
  ['job', 'job'],
  ['__name__', '__name__'],
  ['a.b_c', 'U__a_2e_b__c'],
  ['a/../b', 'U__a_2f__2e__2e__2f_b'],
  ['..', 'U___2e__2e_'],
  ['grün', 'U__gr_fc_n'],
  ['?x=1#', 'U___3f_x_3d_1_23_'],
])('%s', (name, part) => {
  expect(labelPath(name)).toBe(`/api/v1/label/${part}/values`);
});

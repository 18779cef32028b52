import { BlockList, isIP } from 'node:net';
import { BadRule } from './bad-rule.ts';

/** Whether an address is one of these, or in one of these ranges (CIDR). */
export function addressIn(ranges: readonly string[]): (address: string) => boolean {
  const list = new BlockList();
  for (const range of ranges) {
    const [address = '', bits, ...more] = range.split('/');
    const kind = isIP(address);
    const most = kind === 4 ? 32 : 128;
    if (kind === 0 || more.length > 0 || (bits !== undefined && !(/^\d{1,3}$/.test(bits) && Number(bits) <= most)))
      throw new BadRule(`${range.slice(0, 60)} is neither an address nor a range`);
    list.addSubnet(address, bits === undefined ? most : Number(bits), kind === 4 ? 'ipv4' : 'ipv6');
  }
  return (address) => list.check(address, isIP(address) === 4 ? 'ipv4' : 'ipv6');
}

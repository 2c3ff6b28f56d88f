/** Classifies an IP address. */
import { BlockList, isIP } from 'node:net';

export type AddressClass = 'public' | 'private' | 'loopback' | 'link-local' | 'metadata' | 'special';

/** The most specific class comes first: 169.254.169.254 is link-local too. */
const CLASSES: readonly (readonly [AddressClass, readonly string[]])[] = [
  // Cloud metadata and credentials: AWS, Azure, GCP and others; containers of AWS; AWS and GCP over IPv6; Alibaba; Oracle; Azure's host.
  [
    'metadata',
    [
      '169.254.169.254/32',
      '169.254.170.2/32',
      '169.254.170.23/32',
      'fd00:ec2::/32',
      'fd20:ce::254/128',
      '100.100.100.200/32',
      '192.0.0.192/32',
      '168.63.129.16/32',
    ],
  ],
  ['loopback', ['127.0.0.0/8', '::1/128']],
  ['link-local', ['169.254.0.0/16', 'fe80::/10']],
  // "This host", multicast, broadcast, documentation, benchmarks, reserved: none of these can be a server.
  [
    'special',
    [
      '0.0.0.0/8',
      '::/128',
      '224.0.0.0/4',
      '240.0.0.0/4',
      'ff00::/8',
      '192.0.0.0/24',
      '192.0.2.0/24',
      '192.88.99.0/24',
      '198.51.100.0/24',
      '203.0.113.0/24',
      '198.18.0.0/15',
      '2001::/23',
      '2001:db8::/32',
      '3fff::/20',
    ],
  ],
  // The last one is translated to IPv4 by the network itself (RFC 8215), wherever that leads.
  [
    'private',
    ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', '100.64.0.0/10', 'fc00::/7', 'fec0::/10', '64:ff9b:1::/48'],
  ],
  ['public', ['0.0.0.0/0', '2000::/3']],
];

const lists = CLASSES.map(([name, ranges]) => {
  const list = new BlockList();
  for (const range of ranges) {
    const [address = '', bits] = range.split('/');
    list.addSubnet(address, Number(bits), isIP(address) === 6 ? 'ipv6' : 'ipv4');
  }
  return { name, list };
});

export function addressClass(address: string): AddressClass {
  const inner = embeddedIpv4(address);
  if (inner !== undefined) return addressClass(inner);
  const family = isIP(address) === 6 ? 'ipv6' : 'ipv4';
  return lists.find(({ list }) => list.check(address, family))?.name ?? 'special';
}

/** The IPv4 address that is embedded in an IPv6 one: mapped, compatible, translated (SIIT, NAT64), 6to4. */
function embeddedIpv4(address: string): string | undefined {
  if (isIP(address) !== 6) return undefined;
  const groups = expand(address);
  const [a = 0, b = 0, c = 0] = groups;
  const zeros = (from: number, to: number) => groups.slice(from, to).every((group) => group === 0);
  if (zeros(0, 5) && (groups[5] === 0xffff || (groups[5] === 0 && (groups[6] ?? 0) !== 0)))
    return dotted(groups.slice(6));
  if (zeros(0, 4) && groups[4] === 0xffff && groups[5] === 0) return dotted(groups.slice(6));
  if (a === 0x64 && b === 0xff9b && zeros(2, 6)) return dotted(groups.slice(6));
  if (a === 0x2002) return dotted([b, c]);
  return undefined;
}

function dotted([high = 0, low = 0]: readonly number[]): string {
  return [high >> 8, high & 255, low >> 8, low & 255].join('.');
}

/** Returns eight numbers. The URL parser normalises an IPv6 address: no dots, lower case. */
function expand(address: string): number[] {
  const plain = new URL(`http://[${address.split('%')[0]}]/`).hostname.slice(1, -1);
  const [left = '', right] = plain.split('::');
  const numbers = (text: string) => (text === '' ? [] : text.split(':').map((group) => Number.parseInt(group, 16)));
  const head = numbers(left);
  const tail = right === undefined ? [] : numbers(right);
  return [...head, ...Array<number>(8 - head.length - tail.length).fill(0), ...tail];
}

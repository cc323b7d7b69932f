import { expect, it } from 'bun:test'
import { createClientAddresses } from './client-address.ts'

const CASES: [string, string, string | null, number, string][] = [
  ['the address of the connection', '203.0.113.9', null, 0, '203.0.113.9'],
  ['X-Forwarded-For without a trusted proxy', '203.0.113.9', '1.1.1.1', 0, '203.0.113.9'],
  ['one proxy: the last entry', '10.0.0.1', '6.6.6.6, 203.0.113.9', 1, '203.0.113.9'],
  ['two proxies: the one before', '10.0.0.1', '6.6.6.6, 203.0.113.9, 10.0.0.2', 2, '203.0.113.9'],
  ['one proxy that sends no header', '10.0.0.1', null, 1, '10.0.0.1'],
  ['fewer entries than proxies', '10.0.0.1', '203.0.113.9', 2, '10.0.0.1'],
  ['an IPv4-mapped IPv6 address', '::ffff:203.0.113.9', null, 0, '203.0.113.9'],
  ['the /64 network of an IPv6 address', '2001:db8:1:2:3:4:5:6', null, 0, '2001:db8:1:2::/64'],
  ['the same network in another notation', '2001:DB8:1:2::6', null, 0, '2001:db8:1:2::/64'],
  ['an IPv4 address with a port', '10.0.0.1', '203.0.113.9:4711', 1, '203.0.113.9'],
  ['an IPv6 address with a port', '10.0.0.1', '[2001:db8:1:2::6]:47', 1, '2001:db8:1:2::/64'],
  ['an IPv6 address with a zone', 'fe80::1%eth0', null, 0, 'fe80:0:0:0::/64'],
  ['an IPv4 address out of range', '10.0.0.1', '999.0.113.9', 1, 'unknown'],
  ['text that is not an address', '10.0.0.1', 'evil\u0001', 1, 'unknown'],
]

for (const [name, address, forwarded, trustProxy, expected] of CASES) {
  it(`reads ${name}`, () => {
    const headers = forwarded === null ? {} : { 'x-forwarded-for': forwarded }
    const request = { headers: new Map(Object.entries(headers)) } as unknown as Request
    const addresses = createClientAddresses(trustProxy)
    addresses.attach({ requestIP: () => ({ address }) })
    expect(addresses.of(request)).toBe(expected)
  })
}

import { expect, it } from 'bun:test'
import { clientAddress } from './client-address.ts'

const CASES: [string, string, string | null, number, string][] = [
  ['the peer counts', '203.0.113.9', null, 0, '203.0.113.9'],
  ['what strangers forward is ignored', '203.0.113.9', '1.1.1.1', 0, '203.0.113.9'],
  ['one proxy: the last entry', '10.0.0.1', '6.6.6.6, 203.0.113.9', 1, '203.0.113.9'],
  ['two proxies: the one before', '10.0.0.1', '6.6.6.6, 203.0.113.9, 10.0.0.2', 2, '203.0.113.9'],
  ['a proxy that says nothing', '10.0.0.1', null, 1, '10.0.0.1'],
  ['fewer entries than proxies', '10.0.0.1', '203.0.113.9', 2, '10.0.0.1'],
  ['an IPv4 address in IPv6 clothes', '::ffff:203.0.113.9', null, 0, '203.0.113.9'],
  ['IPv6 counts by its /64', '2001:db8:1:2:3:4:5:6', null, 0, '2001:db8:1:2::/64'],
  ['however it is spelled', '2001:DB8:1:2::6', null, 0, '2001:db8:1:2::/64'],
  ['a port is dropped', '10.0.0.1', '203.0.113.9:4711', 1, '203.0.113.9'],
  ['nonsense is one client', '10.0.0.1', 'evil\u0001', 1, 'unknown'],
]

for (const [name, address, forwarded, trustProxy, expected] of CASES) {
  it(name, () => {
    const headers = forwarded === null ? {} : { 'x-forwarded-for': forwarded }
    const request = { headers: new Map(Object.entries(headers)) } as unknown as Request
    expect(clientAddress(request, { requestIP: () => ({ address }) }, trustProxy)).toBe(expected)
  })
}

import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { publicAddress } from './address.ts'
import { MALFORMED_ADDRESSES, NON_PUBLIC_ADDRESSES, PUBLIC_ADDRESSES } from './testing/corpus.ts'

describe('publicAddress', () => {
  test.each(NON_PUBLIC_ADDRESSES)('rejects %s: %s', (address) => {
    expect(publicAddress(address)).toBeNull()
    expect(publicAddress(address.toUpperCase())).toBeNull()
  })

  test.each(MALFORMED_ADDRESSES.map((text) => [text]))(
    'rejects %j, which is no address',
    (text) => {
      expect(publicAddress(text)).toBeNull()
    },
  )

  test.each(PUBLIC_ADDRESSES.map((text) => [text]))('accepts %s', (text) => {
    expect(publicAddress(text)).toBe(text)
  })

  test('turns a mapped public address into the IPv4 address it stands for', () => {
    expect(publicAddress('::ffff:8.8.8.8')).toBe('8.8.8.8')
    expect(publicAddress('0:0:0:0:0:FFFF:0808:0808')).toBe('8.8.8.8')
  })
})

/** The blocks of IPv4 that are not public, as numbers from the IANA registry. */
const NON_PUBLIC_BLOCKS: readonly (readonly [first: string, size: number])[] = [
  ['0.0.0.0', 2 ** 24],
  ['10.0.0.0', 2 ** 24],
  ['100.64.0.0', 2 ** 22],
  ['127.0.0.0', 2 ** 24],
  ['168.63.129.16', 1],
  ['169.254.0.0', 2 ** 16],
  ['172.16.0.0', 2 ** 20],
  ['192.0.0.0', 2 ** 8],
  ['192.0.2.0', 2 ** 8],
  ['192.31.196.0', 2 ** 8],
  ['192.52.193.0', 2 ** 8],
  ['192.88.99.0', 2 ** 8],
  ['192.168.0.0', 2 ** 16],
  ['192.175.48.0', 2 ** 8],
  ['198.18.0.0', 2 ** 17],
  ['198.51.100.0', 2 ** 8],
  ['203.0.113.0', 2 ** 8],
  ['224.0.0.0', 2 ** 29],
]

const numberOf = (dotted: string) => dotted.split('.').reduce((sum, part) => sum * 256 + +part, 0)
const dotted = (n: number) => [24, 16, 8, 0].map((shift) => (n >>> shift) & 255).join('.')
const isNonPublic = (n: number) =>
  NON_PUBLIC_BLOCKS.some(([first, size]) => n >= numberOf(first) && n < numberOf(first) + size)
const word = fc.integer({ min: 0, max: 0xffff })
const hex = (parts: readonly number[]) => parts.map((part) => part.toString(16)).join(':')

const anyV4 = fc.integer({ min: 0, max: 2 ** 32 - 1 })
const nearAnEdge = fc
  .tuple(fc.constantFrom(...NON_PUBLIC_BLOCKS), fc.boolean(), fc.integer({ min: -2, max: 2 }))
  .map(([[first, size], atEnd, step]) => numberOf(first) + (atEnd ? size : 0) + step)
  .filter((n) => n >= 0 && n < 2 ** 32)

describe('for every address', () => {
  test('IPv4 is public exactly outside the listed blocks', () => {
    fc.assert(
      fc.property(fc.oneof(anyV4, nearAnEdge), (n) => {
        expect(publicAddress(dotted(n))).toBe(isNonPublic(n) ? null : dotted(n))
      }),
      { numRuns: 3000 },
    )
  })

  test('every spelling of a mapped address gives the result of its IPv4 address', () => {
    fc.assert(
      fc.property(fc.oneof(anyV4, nearAnEdge), (n) => {
        const [high, low] = [(n >>> 16).toString(16), (n & 0xffff).toString(16)]
        const want = publicAddress(dotted(n))
        for (const zeros of ['::', '0:0:0:0:0:', '0000:0:00:000:0:', '0::0:', '::0:0:']) {
          for (const ffff of ['ffff', 'FFFF', 'fFfF']) {
            expect(publicAddress(`${zeros}${ffff}:${dotted(n)}`)).toBe(want)
            expect(publicAddress(`${zeros}${ffff}:${high}:${low}`)).toBe(want)
          }
        }
      }),
    )
  })

  test('IPv6 outside 2000::/3 is never public, except for mapped addresses', () => {
    fc.assert(
      fc.property(fc.array(word, { minLength: 8, maxLength: 8 }), (parts) => {
        const isMapped = hex(parts.slice(0, 6)) === '0:0:0:0:0:ffff'
        fc.pre((parts[0] ?? 0) >> 13 !== 1 && !isMapped)
        expect(publicAddress(hex(parts))).toBeNull()
      }),
      { numRuns: 2000 },
    )
  })

  test('an IPv6 address that embeds an IPv4 address is never public', () => {
    fc.assert(
      fc.property(anyV4, fc.array(word, { minLength: 4, maxLength: 4 }), (n, rest) => {
        const v4 = [n >>> 16, n & 0xffff]
        for (const parts of [
          [0, 0, 0, 0, 0, 0, ...v4],
          [0, 0, 0, 0, 0xffff, 0, ...v4],
          [0x64, 0xff9b, 0, 0, 0, 0, ...v4],
          [0x64, 0xff9b, 1, ...rest.slice(0, 3), ...v4],
          [0x2002, ...v4, ...rest, 1],
          [0x2001, 0, ...v4, ...rest],
          [0x2a00, ...rest.slice(0, 3), 0, 0x5efe, ...v4],
          [0x2a00, ...rest.slice(0, 3), 0x200, 0x5efe, ...v4],
        ]) {
          expect(publicAddress(hex(parts))).toBeNull()
        }
      }),
    )
  })

  test('any text gives a result, and an accepted address is accepted again in that spelling', () => {
    const text = fc.oneof(fc.string({ unit: 'binary' }), fc.ipV4Extended(), fc.ipV6(), fc.ipV4())
    fc.assert(
      fc.property(text, (candidate) => {
        const address = publicAddress(candidate)
        if (address !== null) expect(publicAddress(address)).toBe(address)
      }),
      { numRuns: 1000 },
    )
  })
})

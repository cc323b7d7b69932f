import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { publicAddress } from './address.ts'
import { CLOSED_ADDRESSES, MALFORMED_ADDRESSES, PUBLIC_ADDRESSES } from './testing/corpus.ts'

describe('an address is judged by its bytes', () => {
  test.each(CLOSED_ADDRESSES)('%s is not public: %s', (address) => {
    expect(publicAddress(address)).toBeNull()
    expect(publicAddress(address.toUpperCase())).toBeNull()
  })

  test.each(MALFORMED_ADDRESSES.map((text) => [text]))('%j is not an address', (text) => {
    expect(publicAddress(text)).toBeNull()
  })

  test.each(PUBLIC_ADDRESSES.map((text) => [text]))('%s is public', (text) => {
    expect(publicAddress(text)).toBe(text)
  })

  test('a mapped public address is the IPv4 address it stands for', () => {
    expect(publicAddress('::ffff:8.8.8.8')).toBe('8.8.8.8')
    expect(publicAddress('0:0:0:0:0:FFFF:0808:0808')).toBe('8.8.8.8')
  })
})

/** The closed blocks of IPv4 written a second time, as the IANA registry counts: plain numbers. */
const CLOSED_BLOCKS: readonly (readonly [first: string, size: number])[] = [
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
const isClosed = (n: number) =>
  CLOSED_BLOCKS.some(([first, size]) => n >= numberOf(first) && n < numberOf(first) + size)
const word = fc.integer({ min: 0, max: 0xffff })
const hex = (parts: readonly number[]) => parts.map((part) => part.toString(16)).join(':')

const anyV4 = fc.integer({ min: 0, max: 2 ** 32 - 1 })
const nearAnEdge = fc
  .tuple(fc.constantFrom(...CLOSED_BLOCKS), fc.boolean(), fc.integer({ min: -2, max: 2 }))
  .map(([[first, size], atEnd, step]) => numberOf(first) + (atEnd ? size : 0) + step)
  .filter((n) => n >= 0 && n < 2 ** 32)

describe('for every address', () => {
  test('IPv4 is public exactly outside the closed blocks', () => {
    fc.assert(
      fc.property(fc.oneof(anyV4, nearAnEdge), (n) => {
        expect(publicAddress(dotted(n))).toBe(isClosed(n) ? null : dotted(n))
      }),
      { numRuns: 3000 },
    )
  })

  test('each spelling of a mapped address is judged as the IPv4 address', () => {
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

  test('IPv6 outside 2000::/3 is never public, mapped addresses apart', () => {
    fc.assert(
      fc.property(fc.array(word, { minLength: 8, maxLength: 8 }), (parts) => {
        const isMapped = hex(parts.slice(0, 6)) === '0:0:0:0:0:ffff'
        fc.pre((parts[0] ?? 0) >> 13 !== 1 && !isMapped)
        expect(publicAddress(hex(parts))).toBeNull()
      }),
      { numRuns: 2000 },
    )
  })

  test('an IPv4 address inside a tunnel or translator is never public, whatever it is', () => {
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

  test('any text is answered, and what is accepted is accepted again in its own spelling', () => {
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

import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import {
  INVALID_URLS,
  MALFORMED_ADDRESSES,
  NON_PUBLIC_ADDRESSES,
  NON_PUBLIC_HOSTS,
} from './testing/corpus.ts'
import { createFetch, expectFailed, expectInvalid, fetchFrom } from './testing/create-fetch.ts'
import { type Internet, internet, PUBLIC_V4, PUBLIC_V6 } from './testing/internet.ts'
import { reply } from './testing/raw-server.ts'

const PAGE = 'https://pages.handbill.test/page'
const STATUSES = [301, 302, 303, 307, 308]
const hostOf = (address: string) => (address.includes(':') ? `[${address}]` : address)

/** `?to=<location>&by=<status>` redirects, `/hops/<n>` redirects n times, the rest is a page. */
let net: Internet
const names: Record<string, readonly (readonly string[])[]> = {}
beforeAll(async () => {
  net = await internet((socket, path) => {
    const { pathname, searchParams } = new URL(path, PAGE)
    const [location, status] = [searchParams.get('to'), searchParams.get('by')]
    const hops = Number(/^\/hops\/(\d)$/.exec(pathname)?.[1] ?? 0)
    if (location !== null) {
      socket.end(`HTTP/1.1 ${status} Moved\r\nLocation: ${location}\r\n\r\n`)
    } else if (hops > 0) {
      reply(socket, '302 Found', [`Location: /hops/${hops - 1}`], 'ignored')
    } else if (pathname === '/loop') {
      reply(socket, '302 Found', ['Location: /loop'])
    } else {
      reply(socket, '200 OK', ['Content-Type: text/html'], '<p>page</p>')
    }
  }, names)
})
beforeEach(() => {
  net.lookups.length = 0
  net.dialled.length = 0
  net.server.requests.length = 0
  for (const name of Object.keys(names)) delete names[name]
})
afterAll(async () => {
  expect(net.trap.connections()).toBe(0)
  await net.close()
})

const get = (url: string) => fetchFrom(net)(url)
const redirecting = (status: number, location: string) =>
  `https://pages.handbill.test/a/b?${new URLSearchParams({ to: location, by: `${status}` })}`

describe('a public https address is fetched', () => {
  test('with its bytes, its type and its final URL', async () => {
    const fetched = await get(`${PAGE}?a=b#part`)
    expect(new TextDecoder().decode(fetched.bytes)).toBe('<p>page</p>')
    expect(fetched.contentType).toBe('text/html')
    expect(fetched.url).toBe(`${PAGE}?a=b`)
    expect(net.dialled).toEqual([PUBLIC_V4])
  })

  test('with a request that has no other headers', async () => {
    await get(PAGE)
    const lines = net.server.heads.at(-1)?.trim().split('\r\n') ?? []
    expect(lines[0]).toBe('GET /page HTTP/1.1')
    expect(
      lines
        .slice(1)
        .map((line) => line.toLowerCase())
        .sort(),
    ).toEqual([
      'accept-encoding: identity',
      'accept: */*',
      'connection: close',
      'host: pages.handbill.test',
      'user-agent: handbill',
    ])
  })

  test.each([
    ['of IPv6 only', [PUBLIC_V6], [PUBLIC_V6]],
    ['of both families, IPv4 first', [PUBLIC_V6, PUBLIC_V4], [PUBLIC_V4, PUBLIC_V6]],
    ['mapped', [`::ffff:${PUBLIC_V4}`], [PUBLIC_V4]],
    ['answered twice', [PUBLIC_V4, PUBLIC_V4], [PUBLIC_V4]],
  ])('when its name has an address %s', async (_case, answer, dialled) => {
    names['pages.handbill.test'] = [answer]
    await get(PAGE)
    expect(net.dialled).toEqual(dialled)
  })

  test('from at most three addresses of each family when its name has many', async () => {
    const [v6, v4] = ['2606:2800::', '93.184.215.'].map((start) =>
      Array.from({ length: 9 }, (_, index) => `${start}${index + 1}`),
    ) as [string[], string[]]
    names['pages.handbill.test'] = [[...v6, ...v4]]
    await get(PAGE)
    expect(net.dialled).toEqual([...v4.slice(0, 3), ...v6.slice(0, 3)])
  })

  test('without DNS when the host is an address', async () => {
    await get(`https://${PUBLIC_V4}/page`)
    await get(`https://[${PUBLIC_V6}]/page`)
    expect(net.dialled).toEqual([PUBLIC_V4, PUBLIC_V6])
    expect(net.lookups).toEqual([])
  })
})

test('a finished fetch leaves no socket and no pending signal', async () => {
  const signals: AbortSignal[] = []
  const get = createFetch({
    resolve: net.resolve,
    transport: (dial) => {
      signals.push(dial.signal)
      return net.transport(dial)
    },
  })
  await get(PAGE)
  await expectFailed(get('https://pages.handbill.test/loop'))
  expect(signals.map(({ aborted }) => aborted)).toEqual(Array.from({ length: 7 }, () => true))
  for (let tries = 0; net.server.open() > 0 && tries < 200; tries += 1) await Bun.sleep(5)
  expect(net.server.open()).toBe(0)
})

describe('what is no https URL is refused as such', () => {
  test.each(INVALID_URLS)('%j: %s', async (url) => {
    await expectInvalid(get(url))
    expect([...net.lookups, ...net.dialled]).toEqual([])
  })
})

describe('a host that is not public is neither resolved nor connected to', () => {
  test.each(NON_PUBLIC_HOSTS)('%s: %s', async (host) => {
    await expectFailed(get(`https://${host}/`))
    expect([...net.lookups, ...net.dialled]).toEqual([])
  })

  test.each([1, 80, 444, 6379, 8443])('port %d', async (port) => {
    await expectFailed(get(`https://pages.handbill.test:${port}/`))
    expect([...net.lookups, ...net.dialled]).toEqual([])
  })
})

describe('an address that is not public is never connected to', () => {
  test.each(NON_PUBLIC_ADDRESSES)('%s (%s), written as the host', async (address) => {
    await expectFailed(get(`https://${hostOf(address)}/`))
    expect(net.dialled).toEqual([])
  })

  test.each([...NON_PUBLIC_ADDRESSES, ...MALFORMED_ADDRESSES.map((text) => [text, 'malformed'])])(
    '%j (%s), as an answer of DNS, alone or among public ones',
    async (...[address = '']) => {
      const mixes = [[], [PUBLIC_V4], [PUBLIC_V6]].flatMap((others) => [
        [address, ...others],
        [...others, address],
      ])
      for (const answer of [...mixes, [PUBLIC_V4, PUBLIC_V4, PUBLIC_V6, PUBLIC_V6, address]]) {
        names['pages.handbill.test'] = [answer]
        await expectFailed(get(PAGE))
      }
      expect(net.dialled).toEqual([])
    },
  )

  test.each(NON_PUBLIC_ADDRESSES)('%s (%s), as the target of a redirect', async (address) => {
    names['pages.handbill.test'] = [[PUBLIC_V4]]
    names['a.test'] = [[address]]
    const status = STATUSES[address.length % STATUSES.length] ?? 302
    await expectFailed(get(redirecting(status, `https://${hostOf(address)}/`)))
    await expectFailed(get(redirecting(status, `//${hostOf(address)}/`)))
    await expectFailed(get(redirecting(status, 'https://a.test/')))
    expect(net.dialled).toEqual([PUBLIC_V4, PUBLIC_V4, PUBLIC_V4])
  })
})

describe('every redirect is checked again', () => {
  test.each(STATUSES)('a %d is followed to a public address', async (status) => {
    const fetched = await get(redirecting(status, 'https://a.test/there'))
    expect(fetched.url).toBe('https://a.test/there')
    expect(net.lookups).toEqual(['pages.handbill.test', 'a.test'])
    expect(net.dialled).toEqual([PUBLIC_V4, PUBLIC_V4])
  })

  test.each([
    ['/there', 'https://pages.handbill.test/there'],
    ['there', 'https://pages.handbill.test/a/there'],
    ['../there', 'https://pages.handbill.test/there'],
    ['?q=1', 'https://pages.handbill.test/a/b?q=1'],
    ['//a.test/there', 'https://a.test/there'],
    ['https:there', 'https://pages.handbill.test/a/there'],
    ['https://a.test:443/é', 'https://a.test/%C3%A9'],
    ['https://A.TEST./there#part', 'https://a.test/there'],
  ])('%s leads to %s', async (location, url) => {
    expect((await get(redirecting(302, location))).url).toBe(url)
  })

  test.each(NON_PUBLIC_HOSTS.filter(([host]) => !host.includes('\t')))(
    'a redirect to https://%s/ fails: %s',
    async (host) => {
      await expectFailed(get(redirecting(302, `https://${host}/`)))
      expect(net.dialled).toEqual([PUBLIC_V4])
    },
  )

  // A redirect may be relative, and an empty location means the page itself.
  const relative = (url: string) => /^(\/\/|\/|pages|$)/.test(url)
  test.each(INVALID_URLS.filter(([url]) => !relative(url)))(
    'a redirect to %j fails like any other fetch: %s',
    async (url) => {
      await expectFailed(get(redirecting(307, url)))
      expect(net.dialled).toEqual([PUBLIC_V4])
    },
  )

  test('a redirect to another port fails', async () => {
    await expectFailed(get(redirecting(302, 'https://pages.handbill.test:8443/')))
    await expectFailed(get(redirecting(302, '//pages.handbill.test:22/')))
    expect(net.dialled).toEqual([PUBLIC_V4, PUBLIC_V4])
  })

  test.each(STATUSES)('a %d to http or to loopback fails', async (status) => {
    const locations = ['http://pages.handbill.test/', 'https://127.0.0.1/', '//[::ffff:7f00:1]/']
    for (const location of locations) await expectFailed(get(redirecting(status, location)))
    expect(net.dialled).toEqual([PUBLIC_V4, PUBLIC_V4, PUBLIC_V4])
    expect(net.server.requests).toHaveLength(3)
  })

  test('five redirects are followed, six are not, and a loop ends', async () => {
    await get('https://pages.handbill.test/hops/5')
    expect(net.server.requests).toHaveLength(6)
    await expectFailed(get('https://pages.handbill.test/hops/6'))
    expect(net.server.requests).toHaveLength(12)
    await expectFailed(get('https://pages.handbill.test/loop'))
    expect(net.server.requests).toHaveLength(18)
  })

  test.each([300, 304, 305, 306])('a %d is no redirect', async (status) => {
    await expectFailed(get(redirecting(status, '/there')))
    expect(net.dialled).toEqual([PUBLIC_V4])
  })
})

describe('a resolver that changes its answers', () => {
  test('is queried once for each request, which connects to that answer', async () => {
    names['pages.handbill.test'] = [[PUBLIC_V4], ['127.0.0.1']]
    await get(PAGE)
    expect(net.lookups).toHaveLength(1)
    expect(net.dialled).toEqual([PUBLIC_V4])
  })

  test('gains nothing between two fetches', async () => {
    names['pages.handbill.test'] = [[PUBLIC_V4], ['127.0.0.1'], [PUBLIC_V4, '::1']]
    const fetched = fetchFrom(net)
    await fetched(PAGE)
    await expectFailed(fetched(PAGE))
    await expectFailed(fetched(PAGE))
    expect(net.dialled).toEqual([PUBLIC_V4])
  })

  test('gains nothing between two redirects of one fetch', async () => {
    names['pages.handbill.test'] = [[PUBLIC_V4], ['127.0.0.1']]
    await expectFailed(get('https://pages.handbill.test/hops/3'))
    expect(net.lookups).toHaveLength(2)
    expect(net.dialled).toEqual([PUBLIC_V4])
  })

  test('that answers nothing, fails or never answers makes the fetch fail', async () => {
    const never = () => new Promise<never>(() => {})
    const answers = [async () => [], () => Promise.reject(new Error('NXDOMAIN')), never]
    for (const resolve of answers) {
      const timeouts = { dnsMs: 50 }
      await expectFailed(createFetch({ resolve, transport: net.transport, timeouts })(PAGE))
    }
    expect(net.dialled).toEqual([])
  })
})

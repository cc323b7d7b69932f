import { describe, expect, test } from 'bun:test'
import { isIP } from 'node:net'
import fc from 'fast-check'
import { publicAddress } from './address.ts'
import { INVALID_URLS, NON_PUBLIC_HOSTS } from './testing/corpus.ts'
import { createUrlPolicy, parseTarget } from './url.ts'

const OWN = ['handbill.example', '*.handbill-content.example']
const policy = createUrlPolicy([], OWN)

function allows(text: string, base?: string): boolean {
  const target = parseTarget(text, base === undefined ? undefined : new URL(base))
  return target !== null && policy.allows(target)
}

/** Whether the URL is allowed and its host is a name or a public address. */
function mayBeDialled(text: string): boolean {
  const target = parseTarget(text)
  if (target === null || !policy.allows(target)) return false
  return isIP(target.host) === 0 || publicAddress(target.host) !== null
}

describe('parsing a URL', () => {
  test.each(INVALID_URLS)('refuses %j: %s', (url) => {
    expect(parseTarget(url)).toBeNull()
  })

  test('refuses more than 4096 characters', () => {
    const base = 'https://pages.handbill.test/'
    expect(parseTarget(base.padEnd(4096, 'a'))).not.toBeNull()
    expect(parseTarget(base.padEnd(4097, 'a'))).toBeNull()
    expect(parseTarget('a'.repeat(4097), new URL(base))).toBeNull()
  })

  test.each(NON_PUBLIC_HOSTS)('does not allow https://%s/: %s', (host) => {
    expect(mayBeDialled(`https://${host}/`)).toBe(false)
    expect(mayBeDialled(`https:\\\\${host}\\`)).toBe(false)
    expect(mayBeDialled(`https://${host}?a`)).toBe(false)
  })

  test('allows port 443 only', () => {
    expect(allows('https://pages.handbill.test/')).toBe(true)
    expect(allows('https://pages.handbill.test:443/')).toBe(true)
    for (const port of [0, 1, 22, 80, 442, 444, 6379, 8443, 65535]) {
      expect(allows(`https://pages.handbill.test:${port}/`)).toBe(false)
    }
  })

  test('removes the trailing dot, the brackets and the fragment', () => {
    const named = parseTarget('https://Pages.Handbill.Test./a?b=c#d')
    expect(named).toMatchObject({ host: 'pages.handbill.test', port: 443 })
    expect(named?.url.href).toBe('https://pages.handbill.test/a?b=c')
    expect(parseTarget('https://[2606:2800::1]:8443/')).toMatchObject({
      host: '2606:2800::1',
      port: 8443,
    })
  })

  test('resolves a redirect that is relative or to another host, but never one to http', () => {
    const base = new URL('https://pages.handbill.test/a/b')
    expect(parseTarget('c', base)?.url.href).toBe('https://pages.handbill.test/a/c')
    expect(parseTarget('//a.test/c', base)?.url.href).toBe('https://a.test/c')
    expect(parseTarget('http://pages.handbill.test/', base)).toBeNull()
    expect(parseTarget('//user@a.test/', base)).toBeNull()
  })
})

describe('the hosts of this server', () => {
  test('are refused by their exact names, and the hosts of pages by the pattern', () => {
    expect(allows('https://handbill.example/p/a')).toBe(false)
    expect(allows('https://a.b.handbill-content.example/')).toBe(false)
    expect(allows('https://handbill-content.example/')).toBe(true)
    expect(allows('https://files.handbill.example/')).toBe(true)
    expect(allows('https://nothandbill.example/')).toBe(true)
  })

  test('do not include names that only end like the pattern', () => {
    expect(allows('https://nothandbill-content.example/')).toBe(true)
  })
})

describe('an allowed host', () => {
  const allowed = [
    'localhost:8443',
    '127.0.0.1:9443',
    '[::1]:8443',
    'Intranet.:443',
    'handbill.example:443',
  ]
  const wider = createUrlPolicy(allowed, OWN)
  const exempt = (text: string) => {
    const target = parseTarget(text)
    return target !== null && wider.isExempt(target) && wider.allows(target)
  }

  test('is exempt in every spelling, even if it is this server', () => {
    expect(exempt('https://localhost:8443/')).toBe(true)
    expect(exempt('https://LOCALHOST.:8443/')).toBe(true)
    expect(exempt('https://2130706433:9443/')).toBe(true)
    expect(exempt('https://[0:0::1]:8443/')).toBe(true)
    expect(exempt('https://intranet/')).toBe(true)
    expect(exempt('https://handbill.example/')).toBe(true)
  })

  test('is exempt on its own port and under its own name only', () => {
    for (const url of [
      'https://localhost/',
      'https://localhost:8444/',
      'https://127.0.0.1:8443/',
      'https://127.0.0.2:9443/',
      'https://app.localhost:8443/',
      'https://intranet:8443/',
    ]) {
      expect(exempt(url)).toBe(false)
    }
  })

  test('still requires https and no credentials', () => {
    expect(exempt('http://localhost:8443/')).toBe(false)
    expect(exempt('https://user@localhost:8443/')).toBe(false)
  })

  test('throws when it is not written host:port', () => {
    for (const entry of [
      '',
      'localhost',
      ':443',
      'localhost:',
      'localhost:99999',
      '*.intranet:443',
      '*:443',
      'https://localhost:443',
      'user@localhost:443',
      'localhost/a:443',
      '::1:443',
    ]) {
      expect(() => createUrlPolicy([entry], [])).toThrow('host:port')
    }
  })
})

describe('for every host', () => {
  test('only plain public names and addresses are allowed', () => {
    const host = fc.oneof(fc.domain(), fc.ipV4Extended(), fc.webAuthority(), fc.string())
    fc.assert(
      fc.property(host, fc.constantFrom('', '.', '%2e', '。'), (name, dot) => {
        const target = parseTarget(`https://${name}${dot}/`)
        if (target === null || !policy.allows(target)) return
        const { host, port, url } = target
        expect(port).toBe(443)
        expect(url.hostname.replace(/^\[|\]$/g, '')).toBe(host)
        expect(isIP(host) > 0 || /^[a-z0-9_-]+(\.[a-z0-9_-]+)+$/.test(host)).toBe(true)
      }),
      { numRuns: 3000 },
    )
  })
})

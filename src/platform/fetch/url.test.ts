import { describe, expect, test } from 'bun:test'
import { isIP } from 'node:net'
import fc from 'fast-check'
import { publicAddress } from './address.ts'
import { CLOSED_HOSTS, INVALID_URLS } from './testing/corpus.ts'
import { createUrlPolicy, parseTarget } from './url.ts'

const OWN = ['handbill.example', '*.handbill-content.example']
const policy = createUrlPolicy([], OWN)

function admits(text: string, base?: string): boolean {
  const target = parseTarget(text, base === undefined ? undefined : new URL(base))
  return target !== null && policy.admits(target)
}

/** Admitted as a name, or an address that the classifier calls public. */
function mayBeDialled(text: string): boolean {
  const target = parseTarget(text)
  if (target === null || !policy.admits(target)) return false
  return isIP(target.host) === 0 || publicAddress(target.host) !== null
}

describe('a URL is read once', () => {
  test.each(INVALID_URLS)('%j is no address to fetch: %s', (url) => {
    expect(parseTarget(url)).toBeNull()
  })

  test('nor is one of more than 4096 characters', () => {
    const base = 'https://pages.handbill.test/'
    expect(parseTarget(base.padEnd(4096, 'a'))).not.toBeNull()
    expect(parseTarget(base.padEnd(4097, 'a'))).toBeNull()
    expect(parseTarget('a'.repeat(4097), new URL(base))).toBeNull()
  })

  test.each(CLOSED_HOSTS)('https://%s/ is not dialled: %s', (host) => {
    expect(mayBeDialled(`https://${host}/`)).toBe(false)
    expect(mayBeDialled(`https:\\\\${host}\\`)).toBe(false)
    expect(mayBeDialled(`https://${host}?a`)).toBe(false)
  })

  test('only port 443 is admitted', () => {
    expect(admits('https://pages.handbill.test/')).toBe(true)
    expect(admits('https://pages.handbill.test:443/')).toBe(true)
    for (const port of [0, 1, 22, 80, 442, 444, 6379, 8443, 65535]) {
      expect(admits(`https://pages.handbill.test:${port}/`)).toBe(false)
    }
  })

  test('the trailing dot, the brackets and the fragment are gone', () => {
    const named = parseTarget('https://Pages.Handbill.Test./a?b=c#d')
    expect(named).toMatchObject({ host: 'pages.handbill.test', port: 443 })
    expect(named?.url.href).toBe('https://pages.handbill.test/a?b=c')
    expect(parseTarget('https://[2606:2800::1]:8443/')).toMatchObject({
      host: '2606:2800::1',
      port: 8443,
    })
  })

  test('a redirect may be relative, or to another host, and to http never', () => {
    const base = new URL('https://pages.handbill.test/a/b')
    expect(parseTarget('c', base)?.url.href).toBe('https://pages.handbill.test/a/c')
    expect(parseTarget('//a.test/c', base)?.url.href).toBe('https://a.test/c')
    expect(parseTarget('http://pages.handbill.test/', base)).toBeNull()
    expect(parseTarget('//user@a.test/', base)).toBeNull()
  })
})

describe('our own hosts', () => {
  test('are refused by their exact names, and a page’s by the pattern', () => {
    expect(admits('https://handbill.example/p/a')).toBe(false)
    expect(admits('https://a.b.handbill-content.example/')).toBe(false)
    expect(admits('https://handbill-content.example/')).toBe(true)
    expect(admits('https://files.handbill.example/')).toBe(true)
    expect(admits('https://nothandbill.example/')).toBe(true)
  })

  test('a pattern covers no name that merely ends alike', () => {
    expect(admits('https://nothandbill-content.example/')).toBe(true)
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
    return target !== null && wider.isExempt(target) && wider.admits(target)
  }

  test('is exempt in every spelling, ours included', () => {
    expect(exempt('https://localhost:8443/')).toBe(true)
    expect(exempt('https://LOCALHOST.:8443/')).toBe(true)
    expect(exempt('https://2130706433:9443/')).toBe(true)
    expect(exempt('https://[0:0::1]:8443/')).toBe(true)
    expect(exempt('https://intranet/')).toBe(true)
    expect(exempt('https://handbill.example/')).toBe(true)
  })

  test('is exempt on its port and under its name only', () => {
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

  test('is still asked for over https and without credentials', () => {
    expect(exempt('http://localhost:8443/')).toBe(false)
    expect(exempt('https://user@localhost:8443/')).toBe(false)
  })

  test('that is not written host:port stops the start', () => {
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
  test('what is admitted is a plain public name or an address', () => {
    const host = fc.oneof(fc.domain(), fc.ipV4Extended(), fc.webAuthority(), fc.string())
    fc.assert(
      fc.property(host, fc.constantFrom('', '.', '%2e', '。'), (name, dot) => {
        const target = parseTarget(`https://${name}${dot}/`)
        if (target === null || !policy.admits(target)) return
        const { host, port, url } = target
        expect(port).toBe(443)
        expect(url.hostname.replace(/^\[|\]$/g, '')).toBe(host)
        expect(isIP(host) > 0 || /^[a-z0-9_-]+(\.[a-z0-9_-]+)+$/.test(host)).toBe(true)
      }),
      { numRuns: 3000 },
    )
  })
})

import { expect, test } from 'bun:test'
import { processorMs } from '../testing/processor-time.ts'
import { readUserAgent } from './user-agent.ts'

const WEBKIT = 'AppleWebKit/537.36 (KHTML, like Gecko)'
const CASES: [userAgent: string, device: string | null, browser: string | null][] = [
  ['', null, null],
  ['curl/8.5.0', 'program', null],
  ['python-requests/2.32', 'program', null],
  [`Mozilla/5.0 (X11; Linux x86_64) ${WEBKIT} Chrome/149.0 Safari/537.36`, 'desktop', 'Chrome'],
  [`Mozilla/5.0 (X11; Linux x86_64) ${WEBKIT} HeadlessChrome/149.0`, 'desktop', 'Chrome'],
  [
    `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${WEBKIT} Chrome/149.0 Safari/537.36 Edg/149.0`,
    'desktop',
    'Edge',
  ],
  [
    `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${WEBKIT} Chrome/149.0 Safari/537.36 OPR/120.0`,
    'desktop',
    'Opera',
  ],
  [
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1 (KHTML, like Gecko) Version/26.0 Safari/605.1',
    'desktop',
    'Safari',
  ],
  ['Mozilla/5.0 (X11; Linux x86_64; rv:153.0) Gecko/20100101 Firefox/153.0', 'desktop', 'Firefox'],
  [
    `Mozilla/5.0 (Linux; Android 16; K) ${WEBKIT} Chrome/149.0 Mobile Safari/537.36`,
    'phone',
    'Chrome',
  ],
  [`Mozilla/5.0 (Linux; Android 16; K) ${WEBKIT} Chrome/149.0 Safari/537.36`, 'tablet', 'Chrome'],
  [
    `Mozilla/5.0 (Linux; Android 16; K) ${WEBKIT} SamsungBrowser/28.0 Chrome/130.0 Mobile Safari/537.36`,
    'phone',
    'Samsung Internet',
  ],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 26_0 like Mac OS X) AppleWebKit/605.1 (KHTML, like Gecko) Version/26.0 Mobile/15E148 Safari/604.1',
    'phone',
    'Safari',
  ],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 26_0 like Mac OS X) AppleWebKit/605.1 (KHTML, like Gecko) CriOS/149.0 Mobile/15E148 Safari/604.1',
    'phone',
    'Chrome',
  ],
  [
    'Mozilla/5.0 (iPad; CPU OS 18_0 like Mac OS X) AppleWebKit/605.1 (KHTML, like Gecko) FxiOS/150.0 Mobile/15E148 Safari/604.1',
    'tablet',
    'Firefox',
  ],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 26_0 like Mac OS X) AppleWebKit/605.1 (KHTML, like Gecko) Mobile/15E148 [FBAN/FBIOS]',
    'phone',
    'App',
  ],
  ['Mozilla/5.0 (Windows NT 6.1; Trident/7.0; rv:11.0) like Gecko', 'desktop', 'Internet Explorer'],
  ['Mozilla/5.0', null, null],
  ['Mozilla/5.0 (compatible; something)', null, null],
]

for (const [userAgent, device, browser] of CASES) {
  test(`${userAgent || 'no User-Agent'} is ${device}, ${browser}`, () => {
    expect(readUserAgent(userAgent)).toEqual({ device, browser } as never)
  })
}

test('a very long User-Agent is read as quickly as any other', () => {
  const long = `Mozilla/5.0 ${'Version/1.1 '.repeat(100_000)}`
  expect(processorMs(() => readUserAgent(long))).toBeLessThan(300)
})

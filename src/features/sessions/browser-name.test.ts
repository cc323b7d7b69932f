import { expect, test } from 'bun:test'
import { browserName } from './index.ts'

const MAC = 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 (KHTML, like Gecko)'
const IPHONE = 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15'
const AGENTS: [string, string][] = [
  [`${MAC} Chrome/156.0.0.0 Safari/537.36`, 'Chrome on macOS'],
  [`${MAC} Chrome/156.0.0.0 Safari/537.36 Edg/156.0.0.0`, 'Edge on macOS'],
  [`${MAC} Version/19.0 Safari/605.1.15`, 'Safari on macOS'],
  [`${IPHONE} (KHTML, like Gecko) CriOS/156.0 Mobile/15E148 Safari/604.1`, 'Chrome on iPhone'],
  [`${IPHONE} (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1`, 'Safari on iPhone'],
  [
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:153.0) Gecko/20100101 Firefox/153.0',
    'Firefox on Windows',
  ],
  [
    'Mozilla/5.0 (Linux; Android 16) AppleWebKit/537.36 Chrome/156.0 Mobile Safari/537.36',
    'Chrome on Android',
  ],
  [`${MAC} Chrome/156.0.0.0 Safari/537.36 Vivaldi/8.0`, 'Vivaldi on macOS'],
  ['Mozilla/5.0 (X11; Linux x86_64) Something/1.0', 'A browser on Linux'],
  ['curl/8.14.1', 'curl'],
  ['', 'A program'],
  ['<script>alert(1)</script>', 'A program'],
]
for (const [userAgent, name] of AGENTS) {
  test(`recognises ${name}`, () => expect(browserName(userAgent)).toBe(name))
}

import { describe, expect, test } from 'bun:test'
import { attacks } from '../../../testing/html-attacks.ts'
import { processorMs } from '../../../testing/processor-time.ts'
import { scanHtml } from './scan.ts'

const PATHS = ['index.html', 'team.html', 'about/index.html', 'css/a.css', 'img/a b.png', 'é.png']
const DECK = { paths: new Set(PATHS), entry: 'index.html' }

describe('the warnings of a file', () => {
  test.each([
    ['images', '<img src=a.png>'],
    ['images of many names', (n: number) => `<img src=${n}.png>`],
    ['links that lead somewhere', (n: number) => `<a href=team.html?${n}>`],
    ['forms', '<form><input name=a></form>'],
    ['dots', (n: number) => `<a href=${'../'.repeat(n % 1000)}x.html>`],
    ['styles', '<p style="background:url(a.png)">'],
    ['short urls', '<style>p{a:url(a)}</style>'],
    ['lines', '\n<img src=a.png>\n'],
    ['spaces', '<a href=" . / . / . ">'],
    ['imports', '<script type=module>import "./team.js"\n</script>'],
  ])('take time in proportion to its length: %s', (_name, part) => {
    const parts: string[] = []
    for (let size = 0, n = 0; size < 2_000_000; n++) {
      const text = typeof part === 'string' ? part : part(n)
      parts.push(text)
      size += text.length
    }
    const html = Buffer.from(parts.join(''))
    const took = processorMs(() => scanHtml(html, { path: 'index.html', deck: DECK }))
    expect(took).toBeLessThan(8000)
  })

  test.each(attacks(200_000))('are found in hostile HTML: %s', (_name, html) => {
    const bytes = Buffer.from(html)
    const { warnings } = scanHtml(bytes, { path: 'index.html', deck: DECK })
    expect(warnings.length).toBeLessThanOrEqual(50)
    for (const { line } of warnings) {
      expect(line === null || (line >= 1 && line <= bytes.toString().split('\n').length)).toBe(true)
    }
  })
})

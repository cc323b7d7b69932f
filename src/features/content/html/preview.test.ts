import { describe, expect, test } from 'bun:test'
import { insertIntoHead } from './preview.ts'
import { scanHtml } from './scan.ts'

const OWN =
  '<!doctype html><html><head><meta charset=utf-8><meta property="og:title" content="own">' +
  '<title>é</title><meta name=twitter:title content=own><meta property=og:description content=d>' +
  '<meta property=og:image content=i></head>'

function served(html: string, options: Partial<Parameters<typeof insertIntoHead>[2]>): string {
  const bytes = Buffer.from(html)
  const texts = { og_title: null, og_description: null, ...options }
  return Buffer.from(insertIntoHead(bytes, scanHtml(bytes), texts)).toString()
}

describe('the link preview', () => {
  test('set by the owner replaces the page’s own tags of that name and no others', () => {
    expect(served(OWN, { og_title: 'Ours' })).toBe(
      '<!doctype html><html><head><meta property="og:title" content="Ours">' +
        '<meta name="twitter:title" content="Ours"><meta charset=utf-8><title>é</title>' +
        '<meta property=og:description content=d><meta property=og:image content=i></head>',
    )
  })

  test('is added where the page has none', () => {
    expect(served('<!doctype html><p>x', { og_description: 'Why' })).toBe(
      '<!doctype html><meta property="og:description" content="Why">' +
        '<meta name="twitter:description" content="Why"><p>x',
    )
  })

  test('null leaves the page as it is', () => {
    const bytes = Buffer.from(OWN)
    const texts = { og_title: null, og_description: null }
    expect(insertIntoHead(bytes, scanHtml(bytes), texts)).toBe(bytes)
  })

  test('cannot close its attribute or its tag', () => {
    const html = served('<head>', { og_title: `"><script>'&quot;` })
    expect(html).toContain('content="&quot;&gt;&lt;script&gt;&#39;&amp;quot;"')
    expect(html).not.toContain('<script>')
  })

  test('comes after what the service adds', () => {
    expect(served('<head>', { og_title: 'x', headHtml: '<script></script>' })).toStartWith(
      '<head><script></script><meta property="og:title"',
    )
  })
})

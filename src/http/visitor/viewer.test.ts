import { describe, expect, test } from 'bun:test'
import { NO_BRAND } from '../../model/brand.ts'
import type { Assets } from '../kit/assets.ts'
import { sizeOf, type ViewerOptions, viewerCsp, viewerPage } from './shell/viewer.ts'

const assets: Assets = {
  url: (name) => `/~/${name}`,
  path: (name) => name,
  has: () => true,
  text: () => '',
  respond: () => null,
}
const options: ViewerOptions = {
  title: 'Report <b>"1"</b>',
  file: { name: 'report.pdf', mime: 'application/pdf', size_bytes: 2_400_000 },
  fileUrl: '/p/abc/~cap/report.pdf',
  downloadUrl: '/p/abc/~cap/report.pdf?download',
  nonce: 'n0nce',
  assets,
  accent: 'green',
  og: { title: null, description: 'Of <autumn>', url: 'https://pages.example.com/p/abc' },
  brand: NO_BRAND,
  isIndexed: false,
  timeToken: '',
  stamp: '',
  panel: null,
  ownerBar: null,
}

describe('the viewer’s document', () => {
  const page = viewerPage(options)

  test('shows its title as text, and offers the file with its size', () => {
    expect(page).toContain('<title>Report &lt;b&gt;&quot;1&quot;&lt;/b&gt;</title>')
    expect(page).not.toContain('<b>')
    expect(page).toContain('title="Download report.pdf, 2.4 MB"')
    expect(page).toContain('download="report.pdf"')
    expect(page).toContain('data-accent="green"')
  })
  test('has the nonce on every script and style sheet, none of them inline', () => {
    for (const [tag] of page.matchAll(/<(script|link rel="(stylesheet|modulepreload)")[^>]*>/g)) {
      expect(tag).toContain('nonce="n0nce"')
    }
    expect(page).not.toMatch(/ on\w+=| style=|<style/)
    expect(page).not.toMatch(/<script[^>]*>[^<]/)
  })
  test('gives link previews the owner’s text, or else its title', () => {
    expect(page).toContain('property="og:title" content="Report &lt;b&gt;')
    expect(page).toContain('property="og:description" content="Of &lt;autumn&gt;"')
    const og = { title: 'For previews', description: null, url: options.og.url }
    expect(viewerPage({ ...options, og })).toContain('property="og:title" content="For previews"')
    expect(viewerPage({ ...options, og })).not.toContain('og:description')
  })
  test('is indexed only when the owner allows it', () => {
    expect(page).toContain('content="noindex"')
    expect(viewerPage({ ...options, isIndexed: true })).not.toContain('noindex')
  })
})

describe('a viewer without downloads', () => {
  const page = viewerPage({ ...options, downloadUrl: null })

  test('has neither a download nor a print button', () => {
    expect(page).not.toMatch(/download|print/i)
  })
})

describe('an image', () => {
  const file = { name: 'poster.png', mime: 'image/png', size_bytes: 900 }
  const downloadUrl = '/p/abc/~cap/poster.png?download'
  const fileUrl = '/p/abc/~cap/poster.png'
  const page = viewerPage({ ...options, file, fileUrl, downloadUrl })

  test('is an img element with the title as its text, and loads no pdf.js', () => {
    expect(page).toContain('<img id="image" src="/p/abc/~cap/poster.png" alt="Report &lt;b&gt;')
    expect(page).not.toContain('pdf')
  })
  test('is its own preview image, except for an SVG', () => {
    const tag = (path: string) =>
      `<meta property="og:image" content="https://pages.example.com/p/abc${path}">`
    expect(page).toContain(tag('?file'))
    const svg = { ...file, mime: 'image/svg+xml' }
    expect(viewerPage({ ...options, file: svg })).toContain(tag('/~/preview.png'))
  })
})

test('the policy allows scripts by nonce alone', () => {
  const policy = viewerCsp('n0nce')
  expect(policy).toContain("script-src 'nonce-n0nce' 'strict-dynamic';")
  expect(policy).toContain("default-src 'none'")
  expect(policy).not.toMatch(/unsafe|script-src[^;]*'self'|https?:/)
})

test('a file size has a unit', () => {
  expect([12, 1_499, 999_499, 1_000_000, 52_300_000].map(sizeOf)).toEqual([
    ...['12 bytes', '1 KB', '999 KB', '1.0 MB', '52 MB'],
  ])
})

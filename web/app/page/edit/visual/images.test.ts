import { expect, test } from 'bun:test'
import { applyEdits } from './change.ts'
import { addressFrom, assetOf, freePath, isNamed, readImage } from './image-file.ts'
import { type ImageChange, imageAt, imageEdits, listImages } from './visual.ts'

function changed(html: string, change: ImageChange, nth = 0): string {
  const { place } = listImages(html)[nth]!
  return applyEdits(html, imageEdits(html, place, change)!)
}

test('an image is replaced where it stands, and nothing else changes by a byte', () => {
  const cases: [html: string, change: ImageChange, result: string][] = [
    [
      '<p>a\r\n<IMG SRC=old.png\r\n  ALT=\'An "old" one\'>b</p>',
      { src: 'new&1.png' },
      '<p>a\r\n<IMG SRC="new&amp;1.png"\r\n  ALT=\'An "old" one\'>b</p>',
    ],
    [
      '<img src="a.png">',
      { alt: 'Say "&" <b>' },
      '<img alt="Say &quot;&amp;&quot; <b>" src="a.png">',
    ],
    [
      '<img alt="" src="a.png" srcset="b.png 2x" width=40 height="30"/>',
      { src: 'c.png', ratio: 2, alt: 'C' },
      '<img alt="C" src="c.png" width=40 height="20"/>',
    ],
    [
      '<img src="a.png" width="50%" height="9">',
      { src: 'c', ratio: 2 },
      '<img src="c" width="50%" height="9">',
    ],
    [
      '<picture><source srcset="a.webp"><source media=x srcset=b><img src="a.png"></picture>',
      { src: 'c.png' },
      '<picture><img src="c.png"></picture>',
    ],
  ]
  for (const [html, change, result] of cases) expect(changed(html, change)).toBe(result)
})

test('an image without an address in the source, or copied by a script, is none of it', () => {
  expect(listImages('<img data-src="a.png"><p><img src="b.png?x=1&copy=2"></p>')).toEqual([
    {
      place: { number: 3, nth: 0, of: 1, run: 0 },
      src: 'b.png?x=1&copy=2',
      alt: '',
      hasVersions: false,
    },
  ])
  const html = '<p>x</p><img src="b.png">'
  const { place } = listImages(html)[0]!
  expect(imageAt(html, { ...place, of: 2 })).toBeNull()
  expect(imageAt(html, { ...place, number: 1 })).toBeNull()
  expect(imageEdits(html, { ...place, number: 1 }, { src: 'c' })).toBeNull()
})

const asset = (path: string) => ({
  path,
  type: 'image/png',
  size_bytes: 3,
  source: { path, hash: 'h' },
})
const deck = {
  kind: 'bundle' as const,
  entry: 'index.html',
  files: [{ path: 'index.html', text: '<img src="img/a b.png">' }],
  assets: [asset('img/a b.png'), asset('img/new-logo.jpg')],
}

test('a new asset has a name that is free, and its address leads from the page to it', () => {
  expect(assetOf(deck, 'parts/two.html', '../img/a%20b.png?v=2')).toBe('img/a b.png')
  expect(assetOf(deck, 'index.html', '/img/a%20b.png')).toBe('img/a b.png')
  expect(assetOf(deck, 'index.html', 'https://example.com/img/a%20b.png')).toBeNull()
  expect(assetOf(deck, 'index.html', 'data:image/png;base64,AA')).toBeNull()
  const file = (name: string) => ({
    name,
    blob: new Blob(),
    extension: 'jpg' as const,
    ratio: 1,
    isSmaller: false,
  })
  expect(freePath(deck, 'img/a b.png', file('New logo.JPEG'))).toBe('img/New-logo-2.jpg')
  expect(freePath(deck, 'index.html', file('../写真.png'))).toBe('image.jpg')
  expect(addressFrom('index.html', 'img/a b.png')).toBe('img/a%20b.png')
  expect(addressFrom('parts/x/two.html', 'parts/img/c.png')).toBe('../img/c.png')
  expect(addressFrom('parts/two.html', 'parts/c.png')).toBe('c.png')
  expect(isNamed('img/a b.png', [{ path: 'x', text: 'url(a%20b.png)' }])).toBe(true)
  expect(isNamed('img/a b.png', [{ path: 'x', text: 'url(ab.png)' }])).toBe(false)
})

test('what is no image by its bytes, or too large, is refused with what to do', async () => {
  const limits = { asset_bytes: 5_000_000, file_bytes: 1_000_000 } as never
  const single = {
    ...deck,
    kind: 'single' as const,
    files: [{ path: '', text: 'x'.repeat(900_000) }],
  }
  const svg = new File(['<svg xmlns="http://www.w3.org/2000/svg"/>'], 'a.png', {
    type: 'image/png',
  })
  await expect(readImage(svg, deck, limits)).rejects.toThrow('is no PNG, JPG, WebP or GIF image')
  await expect(readImage(new File(['%PDF-1.7'], 'a.png'), deck, limits)).rejects.toThrow(
    'is no PNG',
  )
  const large = new File(['GIF89a', 'x'.repeat(200_000)], 'a.gif')
  await expect(readImage(large, single, limits)).rejects.toThrow('here an image may have')
})

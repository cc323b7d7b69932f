import { describe, expect, test } from 'bun:test'
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib'
import { loadAssets } from '../src/http/kit/assets.ts'
import { builtWeb } from '../src/testing/built-web.ts'

const assets = builtWeb()

describe('the build', () => {
  test('puts a hash into every file name', () => {
    expect(assets.url('viewer.js')).toMatch(/^\/~\/viewer-[0-9a-f]{10}\.js$/)
  })
  test('makes a small viewer script', async () => {
    const zipped = await assets.respond(assets.url('viewer.js'), 'gzip')!.bytes()
    expect(zipped.length).toBeLessThan(20_000)
  })
  test('makes a first script of the dashboard within its budget', async () => {
    const zipped = await assets.respond(assets.url('app.js'), 'gzip')!.bytes()
    expect(zipped.length).toBeLessThan(110 * 1024)
  })
})

describe('an asset', () => {
  test('is cached for ever, is not sniffed, and can be loaded by sandboxed pages', () => {
    const { headers } = assets.respond(assets.url('viewer.js'))!
    expect(headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
    expect(headers.get('content-type')).toBe('text/javascript; charset=utf-8')
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('access-control-allow-origin')).toBe('*')
    expect(headers.get('cross-origin-resource-policy')).toBe('cross-origin')
    expect(headers.get('content-encoding')).toBeNull()
  })
  test('is built in each encoding, and sent in the one that the request prefers', async () => {
    const path = assets.url('fonts.css')
    const plain = await assets.respond(path)!.bytes()
    const decoders = { br: brotliDecompressSync, zstd: zstdDecompressSync, gzip: gunzipSync }
    for (const [encoding, decode] of Object.entries(decoders)) {
      const encoded = assets.respond(path, `${encoding}, deflate`)!
      expect(encoded.headers.get('content-encoding')).toBe(encoding)
      expect(encoded.headers.get('vary')).toBe('accept-encoding')
      expect(decode(await encoded.bytes()).equals(plain)).toBe(true)
    }
    expect(assets.respond(path, 'gzip;q=0')!.headers.get('content-encoding')).toBeNull()
    expect(assets.respond(path)!.headers.get('vary')).toBe('accept-encoding')
  })
  test('is answered only if it was built, and nothing outside of the build is', () => {
    for (const path of ['/~/', '/~/nothing.js', '/~/manifest.json', '/x', '']) {
      expect(assets.respond(path)).toBeNull()
    }
    expect(assets.respond('/~/../build.ts')).toBeNull()
    expect(assets.respond('/~/pdfjs-5.6.205/cmaps/')).toBeNull()
  })
  test('with an unknown logical name throws', () => {
    expect(() => assets.url('nothing')).toThrow('There is no asset nothing')
  })
})

test('the font styles name built files, and show text before they load', async () => {
  const css = await assets.respond(assets.url('fonts.css'))!.text()
  const files = [...css.matchAll(/url\(([^)]+)\)/g)].map((match) => match[1]!)
  expect(files.length).toBe(6)
  for (const file of files) {
    expect(assets.respond(`/~/${file}`)!.headers.get('content-type')).toBe('font/woff2')
  }
  expect(css.match(/font-display:swap/g)?.length).toBe(6)
})

test('pdf.js finds its data by folder and name', () => {
  const maps = assets.url('pdfjs/cmaps/')
  expect(assets.respond(`${maps}UniJIS-UTF16-H.bcmap`)).not.toBeNull()
  const wasm = assets.respond(`${assets.url('pdfjs/wasm/')}openjpeg.wasm`)
  expect(wasm?.headers.get('content-type')).toBe('application/wasm')
})

test('without a build the error says so', () => {
  expect(() => loadAssets('/nowhere')).toThrow('/nowhere holds no build of the web files')
})

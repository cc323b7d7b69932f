import { describe, expect, test } from 'bun:test'
import { Refusal } from '../../../model/errors.ts'
import { assetMime, attachmentName, checkFilename, fileMime, sandboxMime } from './types.ts'

const bytes = (latin1: string) => Buffer.from(latin1, 'latin1')
const PNG = bytes('\x89PNG\r\n\x1a\n\0\0\0\0IEND....')
const JPG = bytes('\xff\xd8\xff\xd9')
const WEBP = bytes('RIFF\x08\0\0\0WEBPVP8 ')
const PDF = bytes('%PDF-1.7\n')

function refused(act: () => unknown): string {
  try {
    act()
  } catch (error) {
    if (error instanceof Refusal && error.code === 'unsupported_file_type') return error.message
    throw error
  }
  throw new Error('not refused')
}

describe('an asset', () => {
  test.each<[string, Buffer, string, sandbox?: string]>([
    ['a.png', PNG, 'image/png'],
    ['A.JPG', JPG, 'image/jpeg'],
    ['favicon.ico', PNG, 'image/x-icon'],
    ['a.png', bytes('<script>'), 'image/png'],
    ['a.svg', bytes('<svg xmlns="…"/>'), 'image/svg+xml; charset=utf-8'],
    ['x/a.css', Buffer.from('a{content:"é"}'), 'text/css; charset=utf-8'],
    ['x/a.css', bytes('a{content:"\xe9"}'), 'text/css; charset=windows-1252'],
    ['a.js', bytes(''), 'text/javascript; charset=utf-8'],
    ['main.js.download', bytes(''), 'text/javascript; charset=utf-8'],
    ['x_files/js(1)', bytes(''), 'text/javascript; charset=utf-8'],
    ['x_files/css2', bytes(''), 'text/css; charset=utf-8'],
    ['x_files/3js', bytes(''), 'application/octet-stream'],
    ['a.mjs', bytes('export{}'), 'text/javascript; charset=utf-8'],
    ['a.json', bytes('{}'), 'application/json; charset=utf-8'],
    ['a.js.map', bytes('{}'), 'application/json; charset=utf-8'],
    ['a.geojson', bytes('{}'), 'application/geo+json; charset=utf-8'],
    ['a.gltf', bytes('{}'), 'model/gltf+json; charset=utf-8'],
    ['a.glb', bytes('glTF'), 'model/gltf-binary'],
    ['site.webmanifest', bytes('{}'), 'application/manifest+json; charset=utf-8'],
    ['a.woff2', bytes('wOF2....'), 'font/woff2'],
    ['a.wasm', bytes('\0asm\x01\0\0\0'), 'application/wasm'],
    ['a.avif', JPG, 'image/avif'],
    ['a.mp4', bytes(''), 'video/mp4'],
    ['a.pdf', PDF, 'application/pdf'],
    ['a.txt', bytes('caf\xe9'), 'text/plain; charset=windows-1252'],
    ['README.md', bytes('# A'), 'text/plain; charset=utf-8'],
    ['a.csv', bytes('a,b'), 'text/csv; charset=utf-8'],
    ['a.xml', bytes('<a/>'), 'application/xml; charset=utf-8', 'text/plain; charset=utf-8'],
    ['a.xml', bytes('\xff\xfe<\0a\0/\0>\0'), 'application/xml', 'text/plain'],
    ['a.xsl', bytes('<a/>'), 'application/xml; charset=utf-8', 'text/plain; charset=utf-8'],
    ['a.xslt', bytes('<a/>'), 'application/xslt+xml; charset=utf-8', 'text/plain; charset=utf-8'],
    ['a.xhtml', bytes('<p/>'), 'application/xhtml+xml; charset=utf-8', 'text/plain; charset=utf-8'],
    ['a.shtml', bytes('<p>'), 'text/plain; charset=utf-8'],
    ['a.php', bytes('<?php'), 'text/plain; charset=utf-8'],
    ['a.cjs', bytes('x()'), 'text/javascript; charset=utf-8'],
    ['a.wav', bytes('RIFF'), 'audio/wav'],
    ['a.ts', bytes('G'), 'video/mp2t'],
    ['a.css', bytes('@charset "latin1";a{content:"\xe9"}'), 'text/css'],
    ['a.unityweb', bytes('x'), 'application/vnd.unity'],
    ['a.data', bytes('x'), 'application/octet-stream'],
    ['a.exe', bytes('x'), 'application/octet-stream'],
    ['a.sqlite', bytes('x'), 'application/octet-stream'],
    ['LICENSE', bytes('x'), 'application/octet-stream'],
    ['_headers', bytes('x'), 'application/octet-stream'],
  ])('%s is %#', (path, content, mime, sandbox = mime) => {
    expect(assetMime(path, content)).toBe(mime)
    expect(sandboxMime(mime)).toBe(sandbox)
  })

  test('that is no UTF-8 has the encoding of the pages', () => {
    const text = bytes('\x93\xfa')
    expect(assetMime('a.js', text, 'shift_jis')).toBe('text/javascript; charset=shift_jis')
    expect(assetMime('a.js', bytes('a'), 'shift_jis')).toBe('text/javascript; charset=utf-8')
  })

  test('is no HTML, which goes into files', () => {
    expect(refused(() => assetMime('a.html', bytes('<p>')))).toMatch(/HTML goes into files/)
  })
})

describe('a file', () => {
  test.each<[string, Buffer, string | undefined, string]>([
    ['report.pdf', PDF, undefined, 'application/pdf'],
    ['report', PDF, 'application/pdf; x=y', 'application/pdf'],
    ['late.pdf', Buffer.concat([bytes('HTTP/1.1 200\r\n\r\n'), PDF]), undefined, 'application/pdf'],
    ['v1.2 final', PNG, 'application/octet-stream', 'image/png'],
    ['a.JPEG', JPG, 'image/jpg', 'image/jpeg'],
    ['a.webp', WEBP, '', 'image/webp'],
    ['a.gif', bytes('GIF89a\x01\0\x01\0\0\0\0;'), 'IMAGE/GIF', 'image/gif'],
  ])('%s is %#', (name, content, declared, mime) => {
    expect(fileMime(name, content, declared)).toBe(mime)
  })

  test.each<[string, Buffer, string | undefined, RegExp]>([
    ['a.svg', bytes('<svg/>'), undefined, /SVG is not supported as a file/],
    ['a', bytes('<?xml version="1.0"?>\n<svg/>'), undefined, /SVG is not supported/],
    ['a.docx', bytes('PK\x03\x04'), undefined, /Office documents .* not supported.* as a deck/],
    ['a', bytes('\xd0\xcf\x11\xe0'), undefined, /Office documents/],
    ['a.xlsx', bytes('PK\x03\x04'), undefined, /spreadsheets are not supported/],
    ['a.csv', bytes('a,b'), undefined, /spreadsheets are not supported/],
    ['a.html', bytes('<p>'), undefined, /send it as html, html_base64 or html_url\.$/],
    ['a', bytes('<!DOCTYPE html>'), undefined, /send it as html/],
    [
      'a.txt',
      bytes('text'),
      undefined,
      /send PDF and images \(PNG, JPG, WebP, GIF\).*publish it as a deck: an index\.html/,
    ],
    ['a.pdf', bytes(''), undefined, /"a\.pdf" is empty: send the whole file/],
    ['a.pdf', bytes(`${' '.repeat(1024)}%PDF-`), undefined, /can show/],
    ['a', bytes(' %PDF-'), undefined, /can show/],
    ['a.ico', bytes('\0\0\x01\0'), undefined, /can show/],
    ['a.png', PDF, undefined, /is not PNG: its bytes are PDF, so name it \.pdf/],
    ['a.docx', PDF, undefined, /is not DOCX: its bytes are PDF/],
    ['a.svg', PNG, undefined, /is not SVG: its bytes are PNG/],
    ['a.pdf', PDF, 'image/png', /mime says "image\/png", but the bytes are application\/pdf/],
    ['a.png', PNG, 'image/svg+xml', /mime says/],
  ])('%s is refused: %#', (name, content, declared, message) => {
    expect(refused(() => fileMime(name, content, declared))).toMatch(message)
  })
})

describe('a filename', () => {
  test.each([
    ['Report 2026.pdf', 'Report 2026.pdf'],
    ['C:\\Users\\me\\a.pdf', 'a.pdf'],
    ['../../etc/a.pdf', 'a.pdf'],
    ['  a\r\nb"\u202efdp.exe ', 'ab"fdp.exe'],
    ['cafe\u0301.png', 'café.png'],
    ['a\ud800.png', 'a\ufffd.png'],
    ['😀.png', '😀.png'],
    [`${'x'.repeat(300)}.jpeg`, `${'x'.repeat(145)}.jpeg`],
    [`${'x'.repeat(145)}😀.png`, `${'x'.repeat(145)}.png`],
  ])('%j is %j', (value, name) => {
    expect(checkFilename(value)).toBe(name)
  })

  test.each(['', ' ', '/', 'a/', '..', 'a/..', '\u202e'])('%j is none', (options) => {
    expect(() => checkFilename(options)).toThrow('is not the name of a file')
  })
})

describe('the name that a file of a deck is saved by', () => {
  test.each([
    ['', 'data/a b.csv', 'a b.csv'],
    ['', 'data/a\u202egpj.exe', 'agpj.exe'],
    ['Report.csv', 'data/a.csv', 'Report.csv'],
    ['photo.jpeg', 'a.jpg', 'photo.jpeg'],
    ['Report', 'a.csv', 'Report.csv'],
    ['Report.PDF', 'a.pdf', 'Report.PDF'],
    ['setup.exe', 'a.png', 'setup.exe.png'],
    ['setup.exe\u202egnp', 'a.png', 'setup.exegnp.png'],
    ['page.html', 'a.txt', 'page.html.txt'],
    ['a.csv', 'a.tar.png', 'a.csv.png'],
    ['../../etc/passwd', 'a.txt', 'passwd.txt'],
    ['C:\\a\r\nb.txt', 'a.txt', 'ab.txt'],
    ['..', 'x/a.txt', 'a.txt'],
    ['', 'x/\u202e', 'file'],
    ['copy', 'LICENSE', 'copy'],
    ['setup.exe', 'LICENSE', 'LICENSE'],
    ['b.weights', 'a.weights', 'b.weights'],
    ['a.png.', 'a.png', 'a.png..png'],
    ['x'.repeat(5000), 'a.png', `${'x'.repeat(150)}.png`],
  ])('%j of %s is %j', (request, path, name) => {
    expect(attachmentName(request, path)).toBe(name)
  })
})

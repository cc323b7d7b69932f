import { describe, expect, test } from 'bun:test'
import { Refusal } from '../../../model/errors.ts'
import { assetMime, attachmentName, checkFilename, fileMime } from './types.ts'

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
  test.each<[string, Buffer, string]>([
    ['a.png', PNG, 'image/png'],
    ['A.JPG', JPG, 'image/jpeg'],
    ['a.jpeg', JPG, 'image/jpeg'],
    ['a.webp', WEBP, 'image/webp'],
    ['a.gif', bytes('GIF89a..'), 'image/gif'],
    ['a.gif', bytes('GIF87a..'), 'image/gif'],
    ['favicon.ico', bytes('\0\0\x01\0\x01\0'), 'image/x-icon'],
    ['favicon.ico', PNG, 'image/png'],
    ['a.svg', bytes('<svg xmlns="…"/>'), 'image/svg+xml; charset=utf-8'],
    ['x/a.css', Buffer.from('a{content:"é"}'), 'text/css; charset=utf-8'],
    ['a.js', bytes(''), 'text/javascript; charset=utf-8'],
    ['a.mjs', bytes('export{}'), 'text/javascript; charset=utf-8'],
    ['a.json', bytes('{}'), 'application/json; charset=utf-8'],
    ['a.woff', bytes('wOFF....'), 'font/woff'],
    ['a.woff2', bytes('wOF2....'), 'font/woff2'],
    ['a.ttf', bytes('\0\x01\0\0....'), 'font/ttf'],
    ['a.otf', bytes('OTTO....'), 'font/otf'],
    ['a.txt', Buffer.from('é'), 'text/plain; charset=utf-8'],
    ['a.txt', bytes('caf\xe9'), 'text/plain'],
    ['README.md', bytes('# A'), 'text/plain; charset=utf-8'],
    ['a.xml', bytes('<html xmlns="http://www.w3.org/1999/xhtml"/>'), 'text/plain; charset=utf-8'],
    ['a.xml', bytes('\xff\xfe<\0a\0/\0>\0'), 'text/plain'],
    ['a.csv', bytes('a,b'), 'text/csv; charset=utf-8'],
    ['a.csv', bytes('caf\xe9,b'), 'text/csv'],
    ['a.geojson', bytes('{}'), 'application/geo+json; charset=utf-8'],
    ['a.js.map', bytes('{}'), 'application/json; charset=utf-8'],
    ['site.webmanifest', bytes('{}'), 'application/manifest+json; charset=utf-8'],
    ['a.wasm', bytes('\0asm\x01\0\0\0'), 'application/wasm'],
    ['a.avif', bytes('\0\0\0\x1cftypavif\0\0\0\0mif1'), 'image/avif'],
    ['a.avif', bytes('\0\0\0\x1cftypmif1\0\0\0\0mif1avif'), 'image/avif'],
    ['a.mp4', bytes('\0\0\0\x20ftypisom\0\0\x02\0isomiso2avc1mp41'), 'video/mp4'],
    ['a.webm', bytes('\x1a\x45\xdf\xa3....'), 'video/webm'],
    ['a.mp3', bytes('ID3\x04'), 'audio/mpeg'],
    ['a.mp3', bytes('\xff\xfb\x90\0'), 'audio/mpeg'],
    ['a.wav', bytes('RIFF\x24\0\0\0WAVEfmt '), 'audio/wav'],
    ['a.pdf', PDF, 'application/pdf'],
  ])('%s is %#', (path, content, mime) => {
    expect(assetMime(path, content)).toBe(mime)
  })

  test.each<[string, Buffer, RegExp]>([
    ['a.html', bytes('<p>'), /HTML goes into files/],
    ['a.exe', bytes('x'), /is not an asset: a deck takes images \(PNG/],
    ['a.svgz', bytes('{}'), /is not an asset/],
    ['a.xhtml', bytes('<p/>'), /is not an asset/],
    ['a.php', bytes('<?php'), /is not an asset/],
    ['a.pdf', bytes('<script>'), /is not PDF: its bytes are something else/],
    ['a.wasm', bytes('wasm'), /is not WASM/],
    ['a.avif', JPG, /is not AVIF: its bytes are JPG/],
    ['a.mp4', bytes('<!doctype html><script>'), /is not MP4/],
    ['a.mp4', bytes('\x1a\x45\xdf\xa3'), /is not MP4: its bytes are WEBM, so name it \.webm/],
    ['a.webm', bytes('....ftypisom'), /name it \.mp4/],
    ['a.mp3', bytes('\xff\xfe<'), /is not MP3/],
    ['a.wav', WEBP, /is not WAV: its bytes are WEBP/],
    ['a.geojson', bytes('"\xff"'), /not text in UTF-8/],
    ['png', PNG, /is not an asset/],
    ['a.png', JPG, /is not PNG: its bytes are JPG, so name it \.jpg/],
    ['a.png', bytes('<script>'), /is not PNG: its bytes are something else/],
    ['a.png', bytes(''), /is not PNG/],
    ['a.webp', bytes('XXXX\x10\0\0\0WEBP'), /is not WEBP/],
    ['a.woff2', bytes('wOFF'), /name it \.woff/],
    ['a.css', bytes('a{content:"\xe9"}'), /not text in UTF-8/],
    ['a.json', bytes('"\xff"'), /not text in UTF-8/],
  ])('%s is refused: %#', (path, content, message) => {
    expect(refused(() => assetMime(path, content))).toMatch(message)
  })
})

describe('a file', () => {
  test.each<[string, Buffer, string | undefined, string]>([
    ['report.pdf', PDF, undefined, 'application/pdf'],
    ['report', PDF, 'application/pdf; x=y', 'application/pdf'],
    ['v1.2 final', PNG, 'application/octet-stream', 'image/png'],
    ['a.JPEG', JPG, 'image/jpg', 'image/jpeg'],
    ['a.webp', WEBP, '', 'image/webp'],
    ['a.gif', bytes('GIF89a\x01\0\x01\0\0\0\0;'), 'IMAGE/GIF', 'image/gif'],
  ])('%s is %#', (name, content, declared, mime) => {
    expect(fileMime(name, content, declared)).toBe(mime)
  })

  test.each<[string, Buffer, string | undefined, RegExp]>([
    ['a.svg', bytes('<svg/>'), undefined, /SVG is not supported/],
    ['a', bytes('<?xml version="1.0"?>\n<svg/>'), undefined, /SVG is not supported/],
    ['a.docx', bytes('PK\x03\x04'), undefined, /Office documents .* not supported.*PDF first/],
    ['a', bytes('\xd0\xcf\x11\xe0'), undefined, /Office documents/],
    ['a.xlsx', bytes('PK\x03\x04'), undefined, /Spreadsheets are not supported/],
    ['a.csv', bytes('a,b'), undefined, /Spreadsheets are not supported/],
    ['a.html', bytes('<p>'), undefined, /send it as html/],
    ['a', bytes('<!DOCTYPE html>'), undefined, /send it as html/],
    ['a.txt', bytes('text'), undefined, /send PDF and images \(PNG, JPG, WebP, GIF\)/],
    ['a.pdf', bytes(''), undefined, /"a\.pdf" is not a file the service can show/],
    ['a.pdf', bytes(' %PDF-'), undefined, /can show/],
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
  ])('%j is %j', (given, name) => {
    expect(checkFilename(given)).toBe(name)
  })

  test.each(['', ' ', '/', 'a/', '..', 'a/..', '\u202e'])('%j is none', (given) => {
    expect(() => checkFilename(given)).toThrow('is not the name of a file')
  })
})

describe('the name that a file of a deck is saved by', () => {
  test.each([
    ['', 'data/a b.csv', 'a b.csv'],
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
    ['a.png.', 'a.png', 'a.png..png'],
    ['x'.repeat(5000), 'a.png', `${'x'.repeat(150)}.png`],
  ])('%j of %s is %j', (asked, path, name) => {
    expect(attachmentName(asked, path)).toBe(name)
  })
})

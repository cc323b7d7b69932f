import { expect, it } from 'bun:test'
import { addressOfFile } from '../preview/content-frame.tsx'
import { withBase } from './live-preview.tsx'

const BASE = '<base href="http://x/a">'

it.each([
  [
    '<!doctype html><html lang="en"><head><title>',
    `<!doctype html><html lang="en"><head>${BASE}<title>`,
  ],
  ['<!DOCTYPE html>\n<html>\n<head>\n<p>', `<!DOCTYPE html>\n<html>\n<head>${BASE}\n<p>`],
  ['<header>x', `${BASE}<header>x`],
  ['<p>x', `${BASE}<p>x`],
  ['', BASE],
])('the base stands before everything that has an address: %#', (html, expected) => {
  expect(withBase(html, 'http://x/a')).toBe(expected)
})

it('an address cannot end the attribute, nor stand for parts of what is found', () => {
  expect(withBase('<p>', 'http://x/"><b>$&')).toBe('<base href="http://x/&quot;><b>$&amp;"><p>')
})

it('a file is found below the address of the preview’s entry', () => {
  const preview = 'http://x/p/s/~preview-t/parts/a%20b.html'
  expect(addressOfFile(preview, 'c d.html')).toBe('http://x/p/s/~preview-t/c%20d.html')
})

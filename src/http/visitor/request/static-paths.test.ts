import { describe, expect, test } from 'bun:test'
import type { OpenPage } from '../../../features/pages/index.ts'
import { resolveStatic } from './paths.ts'

interface Content {
  paths: string[]
  entry?: string
  kind?: 'single' | 'bundle'
  needs?: string[]
  fallback?: string
}

function pageOf({ paths, entry = 'index.html', kind = 'bundle', needs = [], fallback }: Content) {
  const files = paths.map((path) => ({ path, html: path.endsWith('.html') ? {} : null }))
  const release = { kind, entry, file_name: null, files, needs_origin: needs }
  return {
    page: { settings: { fallback: fallback ?? null } },
    release,
    files: new Map(files.map((file) => [file.path, file])),
  } as unknown as OpenPage
}

/** What a path leads to: `status file`, `to address`, or nothing. */
function foundAt(path: string, content: Content): string {
  const found = resolveStatic(pageOf(content), path)
  if (found.kind === 'nothing') return 'nothing'
  if (found.kind === 'redirect') return `to ${found.location}`
  return `${found.status} ${found.file.path}`
}

const SITE = ['index.html', 'about.html', 'docs/index.html', 'a.css']
const APP = { paths: ['index.html', 'a.js'], needs: ['root_paths', 'router'] }

describe('a path of a site', () => {
  test.each([
    ['', '200 index.html'],
    ['index.html', '200 index.html'],
    ['about', '200 about.html'],
    ['docs', 'to /docs/'],
    ['docs/', '200 docs/index.html'],
    ['a.css', '200 a.css'],
    ['about/', 'nothing'],
    ['nothing', 'nothing'],
    ['b.css', 'nothing'],
  ])('%j leads to %s', (path, expected) => {
    expect(foundAt(path, { paths: SITE })).toBe(expected)
  })
  test('an entry in a folder is opened there', () => {
    expect(foundAt('', { paths: ['docs/a b.html'], entry: 'docs/a b.html' })).toBe(
      'to /docs/a%20b.html',
    )
  })
})

describe('an unknown route', () => {
  test.each<[string, Content, expected: string]>([
    ['of a site', { paths: SITE }, 'nothing'],
    ['of a site with 404.html', { paths: [...SITE, '404.html'] }, '404 404.html'],
    ['of a site with a fallback', { paths: SITE, fallback: 'about.html' }, '200 about.html'],
    ['of a site with a fallback that is gone', { paths: SITE, fallback: 'x.html' }, 'nothing'],
    ['of an app with a router', APP, '200 index.html'],
    ['of an app without one', { ...APP, needs: ['root_paths'] }, 'nothing'],
    ['of a site with a router', { ...APP, paths: SITE }, 'nothing'],
    ['of an app with 404.html', { ...APP, paths: [...APP.paths, '404.html'] }, '404 404.html'],
    ['of an app with a fallback', { ...APP, fallback: 'a.js' }, '200 a.js'],
    ['of a single page', { paths: ['index.html'], kind: 'single' }, 'nothing'],
    ['of a single page with a router', { ...APP, kind: 'single' }, '200 index.html'],
  ])('%s', (_name, content, expected) => {
    expect(foundAt('team/7', content)).toBe(expected)
  })
  test('is none where its name has an extension', () => {
    expect(foundAt('team/a.png', APP)).toBe('nothing')
    expect(foundAt('team/a.png', { paths: SITE, fallback: 'index.html' })).toBe('nothing')
  })
})

import { describe, expect, test } from 'bun:test'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import packageJson from '../package.json' with { type: 'json' }
import { circlesIn, type Graph } from './testing/circles.ts'

/** A layer imports itself and those named here. Files that start the rest import everything. */
const MAY_IMPORT: Record<string, readonly string[]> = {
  model: [],
  platform: ['model'],
  features: ['model', 'platform'],
  http: ['model', 'platform', 'features'],
  client: ['model', 'contracts'],
  web: ['model', 'contracts', 'client'],
  cli: ['model', 'contracts', 'client'],
}
/** The parts of `http`, by the same rule. Files directly in `src/http` put them together. */
const HTTP_PART_MAY_IMPORT: Record<string, readonly string[]> = {
  kit: [],
  rest: ['kit'],
  mcp: ['kit'],
  visitor: ['kit'],
  web: ['kit'],
}
/** Lowest first. A feature imports features of lower levels only. */
const FEATURE_LEVELS = [
  ['mail'],
  ['events'],
  [
    'accounts',
    'confirmations',
    'sessions',
    'single-sign-on',
    'content',
    'views',
    'viewers',
    'throttles',
    'link-pictures',
  ],
  ['settings', 'html-to-markdown', 'watermarks'],
  ['versions', 'passkeys', 'oauth', 'agreements'],
  ['pages'],
  [
    'access',
    'links',
    'responses',
    'viewer-emails',
    'comments',
    'polls',
    'approvals',
    'analytics',
    'operator',
  ],
  ['feedback', 'inbox', 'people', 'privacy', 'transfer', 'backup'],
  ['webhooks', 'asks'],
]
/** Exports and imports all that is stored of a page. */
const KNOWS_PAGES = ['transfer']
/** Part of the build: runs in Bun, unlike the rest of web/. */
const WEB_BUILD = /^web\/build\.ts$/
/** The dashboard's document has its first screen in it, rendered by the dashboard's components. */
const PAINTED = 'web/app/render.tsx'
/** Documents contain the text of its function. */
const POINTER_GUARD = 'web/pointer-guard.ts'
/** Tests, benchmarks and the build start the program and look at it from outside. */
const OUTSIDE = /^(acceptance|bench|faults|build|src\/testing)\/|\/harness\.ts$/

const ROOT = join(import.meta.dir, '..')
const everything = ['src', 'web', 'cli', 'acceptance', 'bench', 'faults', 'build'].flatMap(walk)
const files = everything.filter((file) => !/\.(test|suite)\.tsx?$/.test(file))
const inside = files.filter((file) => !OUTSIDE.test(file) && !WEB_BUILD.test(file))

describe('imports', () => {
  test('run from higher layers to lower ones, and enter a feature by index.ts or contract.ts', () => {
    expect(wrongImports((from, to) => !mayImport(from, to))).toEqual([])
  })

  test('between features run to lower levels, and from above pages never to pages', () => {
    const isWrong = (from: string, to: string) =>
      layerOf(from) === 'features' && layerOf(to) === 'features' && !runsDown(from, to)
    expect(wrongImports(isWrong)).toEqual([])
  })

  test('name features that each have a level', () => {
    const features = files.filter((file) => layerOf(file) === 'features').map(featureOf)
    expect([...new Set(features)].filter((feature) => levelOf(feature) < 0)).toEqual([])
  })

  test('inside http reach kit alone, which knows no feature', () => {
    const isWrong = (from: string, to: string) => {
      const part = httpPartOf(from)
      if (part === null || part === httpPartOf(to)) return false
      if (layerOf(to) === 'http') return !HTTP_PART_MAY_IMPORT[part]?.includes(httpPartOf(to) ?? '')
      return part === 'kit' && layerOf(to) === 'features'
    }
    expect(wrongImports(isWrong)).toEqual([])
    const parts = new Set(files.map(httpPartOf).filter((part) => part !== null))
    expect([...parts].sort()).toEqual(Object.keys(HTTP_PART_MAY_IMPORT).sort())
  })

  test('form no circle between files', () => {
    const ours = files.filter((file) => /^(src|web|cli)\//.test(file))
    expect(circlesIn(new Map(ours.map((file) => [file, importsOf(file)])))).toEqual([])
  })

  test('form no circle between folders of http', () => {
    expect(circlesIn(foldersOf('src/http/'))).toEqual([])
  })

  test('what a browser loads imports only what a browser can load', () => {
    const browserSafe = /^src\/(model\/|client\/|features\/[^/]+\/(content-)?contract\.ts$)/
    const isWrong = (from: string, to: string) => browserSafe.test(from) && !browserSafe.test(to)
    expect(wrongImports(isWrong)).toEqual([])
    const deps = /^(node:|bun$|bun:)/
    const shared = inside.filter((file) => browserSafe.test(file) || /^web\//.test(file))
    expect(using(shared, (file) => importsOf(file).some((to) => deps.test(to)))).toEqual([])
  })
})

describe('what a module may use', () => {
  test('the environment is read where a program starts alone', () => {
    const others = inside.filter((file) => !/^src\/(client-)?main\.ts$/.test(file))
    expect(matching(others, /\b(process|Bun|import\.meta)\.env\b/)).toEqual([])
  })

  test('no module keeps state of its own', () => {
    const state = /^(export )?(let |var |const \w+(: [^=]+)? = new (Map|Set|WeakMap)(<.*>)?\(\))/m
    expect(
      matching(
        inside.filter((file) => layerOf(file) !== 'web'),
        state,
      ),
    ).toEqual([])
  })

  test('the content of a page is opened by the access rule alone, and its bytes read in one file', () => {
    const made = /\bas (unknown as )?(Admission|Opening|OpenPage|ContentRequest)\b/
    expect(matching(inside, made)).toEqual(['src/features/access/rules.ts'])
    const visitor = inside.filter((file) => file.startsWith('src/http/visitor/'))
    expect(matching(visitor, /\bcontent\.(bytes|pieces|body)\(/)).toEqual([
      'src/http/visitor/serve/bodies.ts',
    ])
  })

  test('Hono, the MCP SDK and Bun.serve are used in http alone', () => {
    // The command line speaks MCP itself, over stdio.
    const speaksHttp = (file: string) => layerOf(file) === 'http' || file.startsWith('cli/mcp/')
    const protocols = /^(hono|@modelcontextprotocol)\b/
    const others = inside.filter((file) => !speaksHttp(file))
    expect(using(others, (file) => importsOf(file).some((to) => protocols.test(to)))).toEqual([])
    expect(matching(others, /\bBun\.serve\b/)).toEqual([])
  })

  test('SQL is written in store.ts files and in platform/db alone', () => {
    const others = inside.filter((file) => !isStore(file) && !file.startsWith('src/platform/db/'))
    expect(using(others, (file) => importsOf(file).includes('kysely'))).toEqual([])
    expect(
      matching(others, /\b(selectFrom|\w+Into|rowBy|updateTable|deleteFrom|deleteBy)\('/),
    ).toEqual([])
  })

  test('a store runs SQL by the query builder or by raw of platform/db, without casts', () => {
    const stores = inside.filter(isStore)
    expect(matching(stores, /\bCompiledQuery\b|\bexecuteQuery\(|\bsql\.raw\(/)).toEqual([])
  })

  test('a table is named by one store.ts alone', () => {
    const owners = new Map<string, Set<string>>()
    for (const file of inside.filter(isStore)) {
      for (const [, built, written] of textOf(file).matchAll(QUERY)) {
        const table = built ?? written ?? ''
        if (TABLES.includes(table)) owners.set(table, (owners.get(table) ?? new Set()).add(file))
      }
    }
    expect(owners.size).toBeGreaterThan(0)
    expect([...owners].filter(([, stores]) => stores.size > 1)).toEqual([])
  })

  test('Bun’s own API is used in platform and http alone', () => {
    const others = inside.filter((file) => !['platform', 'http'].includes(layerOf(file)))
    expect(matching(others, /\bBun\.[a-z]/i)).toEqual([])
    expect(using(others, (file) => importsOf(file).some((to) => /^bun\b/.test(to)))).toEqual([])
  })
})

describe('budgets', () => {
  test('a file has at most 400 lines, of at most 100 characters, unless it is all tests', () => {
    const tooLong = inside.filter((file) => linesOf(file).length > 400)
    const tooWide = inside.flatMap((file) =>
      linesOf(file).flatMap((line, at) => (isTooWide(line) ? [`${file}:${at + 1}`] : [])),
    )
    expect([...tooLong, ...tooWide]).toEqual([])
  })

  test('every dependency has its reason in docs/decisions/dependencies.md', () => {
    const { dependencies, devDependencies } = packageJson
    const reasons = textOf('docs/decisions/dependencies.md')
    const hasReason = (name: string) =>
      [name, name.replace(/\/.*/, '/*')].some((listed) => reasons.includes(`| \`${listed}\` |`))
    const names = Object.keys({ ...dependencies, ...devDependencies })
    expect(names.filter((name) => !hasReason(name))).toEqual([])
  })

  test('there are at most ten npm scripts', () => {
    expect(Object.keys(packageJson.scripts).length).toBeLessThanOrEqual(10)
  })
})

/** `selectFrom('pages')`, `innerJoin('versions as v', …)`, and in a template `JOIN versions`. */
const QUERY =
  /\b(?:\w+From|\w+Into|[a-z]+By|updateTable|from|\w*Join)\(\s*\[?'(\w+)|(?:FROM|JOIN|INTO|UPDATE)\s+(\w+)/g
const TABLE_FILES = files.filter((file) => /^src\/platform\/db\/([a-z]+-)?tables\.ts$/.test(file))
const TABLES = TABLE_FILES.flatMap((file) => [...textOf(file).matchAll(/^ {2}(\w+): \{$/gm)]).map(
  ([, table = '']) => table,
)

function mayImport(from: string, to: string): boolean {
  const layer = layerOf(from)
  const target = layerOf(to)
  if (layer === target || !(layer in MAY_IMPORT)) return true
  if (layer === 'http' && /^web\/.*\.css$/.test(to)) return true
  if (from.startsWith('src/http/web/app/') && to === PAINTED) return true
  if (from === 'src/http/kit/pointer-guard.ts' && to === POINTER_GUARD) return true
  const seen = MAY_IMPORT[layer] ?? []
  if (target !== 'features') return seen.includes(target)
  if (/\/contract\.ts$/.test(to)) return seen.includes('features') || seen.includes('contracts')
  return seen.includes('features') && /\/index\.ts$/.test(to)
}

function runsDown(from: string, to: string): boolean {
  const [feature, target] = [featureOf(from), featureOf(to)]
  if (feature === target) return true
  const isEntry = /\/(index|contract)\.ts$/.test(to)
  const mayKnow = target !== 'pages' || KNOWS_PAGES.includes(feature)
  return isEntry && levelOf(target) < levelOf(feature) && mayKnow
}

function levelOf(feature: string): number {
  return FEATURE_LEVELS.findIndex((features) => features.includes(feature))
}

/** `rest` of src/http/rest/routes.ts; null of a file directly in src/http, and of any other. */
function httpPartOf(file: string): string | null {
  return /^src\/http\/([^/]+)\//.exec(file)?.[1] ?? null
}

/** The folders below a path, each with the other folders that its files import from. */
function foldersOf(below: string): Graph {
  const folders = new Map<string, Set<string>>()
  for (const file of files.filter((each) => each.startsWith(below))) {
    const folder = dirname(file)
    const targets = importsOf(file)
      .filter((to) => to.startsWith(below))
      .map(dirname)
    const imported = targets.filter((target) => target !== folder)
    folders.set(folder, new Set([...(folders.get(folder) ?? []), ...imported]))
  }
  return folders
}

/** `features` of src/features/pages/store.ts, `web` of web/viewer/main.ts, `main.ts` of itself. */
function layerOf(file: string): string {
  const [top = '', second = ''] = file.split('/')
  return top === 'src' ? second : top
}
function featureOf(file: string): string {
  return file.split('/')[2] ?? ''
}
function isStore(file: string): boolean {
  return layerOf(file) === 'features' && /\/store\.ts$/.test(file)
}

function wrongImports(isWrong: (from: string, to: string) => boolean): string[] {
  return inside.flatMap((from) =>
    importsOf(from)
      .filter((to) => /^(src|web|cli|acceptance|bench)\//.test(to) && isWrong(from, to))
      .map((to) => `${from} → ${to}`),
  )
}

/** Ours by their path from the root, others as they are written. */
function importsOf(file: string): string[] {
  return [...textOf(file).matchAll(/(?:\bfrom|\bimport)\s*\(?\s*'([^'\n]+)'/g)].map(
    ([, path = '']) => (path.startsWith('.') ? normalize(join(dirname(file), path)) : path),
  )
}

function matching(among: readonly string[], pattern: RegExp): string[] {
  return using(among, (file) => textOf(file).search(pattern) >= 0)
}
function using(among: readonly string[], isSo: (file: string) => boolean): string[] {
  return among.filter(isSo)
}

/** A list of utility classes cannot be broken: `className="…"`. */
function isTooWide(line: string): boolean {
  return [...line].length > 100 && !/^\s*(<\w+ )?className=/.test(line)
}

function textOf(file: string): string {
  return readFileSync(join(ROOT, file), 'utf8')
}
function linesOf(file: string): string[] {
  return textOf(file).trimEnd().split('\n')
}
function walk(folder: string): string[] {
  if (!existsSync(join(ROOT, folder))) return []
  return readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file))
    .map((file) => join(folder, file))
}

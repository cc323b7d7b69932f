import { afterAll, expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const PROGRAM = join(import.meta.dir, 'testing/loaded-modules.ts')
const ROOT = join(import.meta.dir, '..')
const folder = mkdtempSync(join(tmpdir(), 'handbill-lazy-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** Starts a server, makes the requests, and returns the answers and what is loaded after them. */
async function loadedBy(...requests: string[]) {
  const child = Bun.spawn([process.execPath, PROGRAM, join(folder, 'data'), ...requests], {
    stdout: 'pipe',
    stderr: 'inherit',
  })
  const { answers, modules } = JSON.parse(await new Response(child.stdout).text()) as {
    answers: { status: number; text: string }[]
    modules: string[]
  }
  return { answers, modules: modules.map((file) => file.replace(`${ROOT}/`, '')) }
}

/** What a server does without that is only asked for pages. */
const LATER = [
  /^src\/(router|router-parts|operations|visitor-operations|api-features)\.ts$/,
  /^src\/features\/[\w-]+\/(operations|\w*-?contract)\.ts$/,
  /^src\/features\/(transfer|operator|inbox|backup)\//,
  /^src\/features\/content\/(tasks|import\/(file|html|check-html))\.ts$/,
  /^src\/http\/(rest|mcp)\//,
  /^src\/http\/web\/(app|docs)\//,
  /^src\/platform\/(fetch\/transport|zip)\.ts$/,
  /^src\/model\/page\/page-object\.ts$/,
  /^web\/(?!pointer-guard\.ts).*\.tsx?$/,
  /node_modules\/(hono|react|react-dom|@modelcontextprotocol|diff)\//,
  /node_modules\/(openid-client|oauth4webapi|jose|nodemailer|yauzl|aws4fetch|marked|yazl)\//,
]

test('a start and views of a page load neither the API nor our own pages', async () => {
  const created = await loadedBy('/api/v1/pages {"html":"<!doctype_html><p>words"}')
  expect(created.answers.map(({ status }) => status)).toEqual([201])
  const { slug } = JSON.parse(created.answers[0]!.text).data
  expect(created.modules).toContain('src/router.ts')

  const { answers, modules } = await loadedBy('/healthz', '/readyz', `/p/${slug}`, '/p/missing')
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 404])
  expect(answers[2]?.text).toContain('words')
  expect(modules).toContain('src/http/dispatch.ts')
  expect(modules.filter((file) => LATER.some((pattern) => pattern.test(file)))).toEqual([])
}, 20_000)

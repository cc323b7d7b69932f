import { SERVER_URL } from '../../src/model/site.ts'
import { schemaExample } from './examples.ts'
import type { Sample } from './markup.ts'
import { bodyOf, type Endpoint, type OpenApiDocument, successOf } from './openapi.ts'

export const API_URL = `${SERVER_URL}/api/v1`

/** An example of a request, before it is written in a language. The reader puts in the key. */
interface ExampleRequest {
  method: string
  /** The reader replaces the words in capitals. */
  url: string
  /** Without `json`, it is the content of FILE. */
  body: { type: string; json?: unknown } | null
  /** Any other answer is saved as FILE; null where there is none. */
  answer: 'json' | 'file' | null
}

export function exampleRequest(
  document: OpenApiDocument,
  { method, path, operation }: Endpoint,
): ExampleRequest {
  const body = bodyOf(operation)
  const isJson = body?.type === 'application/json'
  const { content } = successOf(operation)
  return {
    method: method.toUpperCase(),
    url: API_URL + pathExample(path),
    body: body && {
      type: body.type,
      ...(isJson && { json: schemaExample(document, body.schema) }),
    },
    answer: 'application/json' in content ? 'json' : '*/*' in content ? 'file' : null,
  }
}

function pathExample(path: string): string {
  return path.replace(/\{(\w+)\}/g, (_, name: string) => PATHS[name] ?? name.toUpperCase())
}

const PATHS: Record<string, string> = { version_no: '1', path: 'index.html' }

export function requestSamples(document: OpenApiDocument, endpoint: Endpoint): Sample[] {
  const request = exampleRequest(document, endpoint)
  return [
    { language: 'curl', code: curlCommand(request) },
    { language: 'javascript', code: javascriptCode(request) },
    { language: 'python', code: pythonCode(request) },
  ]
}

export function curlCommand({ method, url, body, answer }: ExampleRequest): string {
  const lines = [
    `curl ${method === 'GET' ? '' : `-X ${method} `}${url}`,
    '-H "Authorization: Bearer $HANDBILL_API_KEY"',
  ]
  if (body !== null) {
    lines.push(`-H "Content-Type: ${body.type}"`)
    lines.push('json' in body ? `-d ${quoteJson(body.json)}` : '--data-binary @FILE')
  }
  if (answer === 'file') lines.push('-o FILE')
  return lines.join(' \\\n  ')
}

/** Quotes JSON for a shell, on one line if it is short. */
function quoteJson(value: unknown): string {
  const indented = JSON.stringify(value, null, 2)
  const line = indented.replace(/\n\s*/g, ' ')
  return `'${(line.length <= 48 ? line : indented).replace(/'/g, "'\\''")}'`
}

const JAVASCRIPT: LiteralSyntax = {
  name: (key) => (/^[a-z_$][\w$]*$/i.test(key) ? key : quoted(key)),
  text: quoted,
  constants: { true: 'true', false: 'false', null: 'null' },
  indent: '  ',
  padding: ' ',
}

/** Writes the request with `fetch`, as a module for Node.js, Bun and Deno. */
export function javascriptCode({ method, url, body, answer }: ExampleRequest): string {
  const key = `Authorization: \`Bearer \${key}\``
  const lines = ["import { env } from 'node:process'", '', 'const key = env.HANDBILL_API_KEY']
  lines.push(`const url = '${url}'`, 'const response = await fetch(url, {')
  if (method !== 'GET') lines.push(`  method: '${method}',`)
  if (body === null) lines.push(`  headers: { ${key} },`)
  else lines.push('  headers: {', `    ${key},`, `    'Content-Type': '${body.type}',`, '  },')
  if (body !== null && 'json' in body) {
    const before = 'body: JSON.stringify('
    const json = literal(body.json, JAVASCRIPT, { indent: '  ', before: `${before}),` })
    lines.push(`  ${before}${json}),`)
  } else if (body !== null) {
    lines.unshift("import { readFile } from 'node:fs/promises'")
    lines.push("  body: await readFile('FILE'),")
  }
  const json = answer === 'json' ? ', await response.json()' : ''
  lines.push('})', `console.log(response.status${json})`)
  if (answer === 'file') {
    lines.unshift("import { writeFile } from 'node:fs/promises'")
    lines.push("await writeFile('FILE', response.body)")
  }
  return lines.join('\n')
}

function quoted(text: string): string {
  const escaped = JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"')
  return `'${escaped.replaceAll("'", "\\'")}'`
}

/** JSON’s escapes of strings are Python’s, too. */
const PYTHON: LiteralSyntax = {
  name: (key) => JSON.stringify(key),
  text: (value) => JSON.stringify(value),
  constants: { true: 'True', false: 'False', null: 'None' },
  indent: '    ',
  padding: '',
}

/** Writes the request with the package requests, which adds the header of JSON by itself. */
export function pythonCode({ method, url, body, answer }: ExampleRequest): string {
  const key = '"Authorization": f"Bearer {key}"'
  const lines = ['import os', 'import requests', '', 'key = os.environ["HANDBILL_API_KEY"]']
  lines.push(`response = requests.${method.toLowerCase()}(`, `    "${url}",`)
  if (body === null || 'json' in body) lines.push(`    headers={${key}},`)
  if (body !== null && 'json' in body) {
    lines.push(`    json=${literal(body.json, PYTHON, { indent: '    ', before: 'json=,' })},`)
  } else if (body !== null) {
    const type = `"Content-Type": "${body.type}"`
    lines.push('    headers={', `        ${key},`, `        ${type},`, '    },')
    lines.push('    data=open("FILE", "rb"),')
  }
  const json = answer === 'json' ? ', response.json()' : ''
  lines.push(')', `print(response.status_code${json})`)
  if (answer === 'file') lines.push('open("FILE", "wb").write(response.content)')
  return lines.join('\n')
}

interface LiteralSyntax {
  name(key: string): string
  text(value: string): string
  constants: { true: string; false: string; null: string }
  indent: string
  /** Python has no spaces inside the braces of an object on one line. */
  padding: '' | ' '
}

/** What fits beside the text of the reference in a window of 1280 px. */
const MAX_LINE = 56

interface Place {
  indent: string
  before: string
}

/** Writes a value in the syntax of a language, on one line if it is short. */
function literal(value: unknown, syntax: LiteralSyntax, { indent, before }: Place): string {
  if (typeof value === 'string') return syntax.text(value)
  if (typeof value === 'number') return String(value)
  if (typeof value !== 'object' || value === null) {
    return syntax.constants[String(value) as 'true' | 'false' | 'null']
  }
  const inner = indent + syntax.indent
  const items = Array.isArray(value)
    ? value.map((item) => literal(item, syntax, { indent: inner, before: '' }))
    : Object.entries(value).map(([key, member]) => {
        const start = `${syntax.name(key)}: `
        return start + literal(member, syntax, { indent: inner, before: start })
      })
  const [open, close] = Array.isArray(value) ? '[]' : '{}'
  if (items.length === 0) return `${open}${close}`
  const padding = Array.isArray(value) ? '' : syntax.padding
  const line = `${open}${padding}${items.join(', ')}${padding}${close}`
  const isShort = indent.length + before.length + line.length <= MAX_LINE
  if (isShort && !line.includes('\n')) return line
  return `${open}\n${items.map((item) => `${inner}${item},\n`).join('')}${indent}${close}`
}
